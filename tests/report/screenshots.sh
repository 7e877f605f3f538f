#!/bin/sh
# A picture of the report of every problem of the gallery, into docs/images: screenshots.sh ZENO
set -eu
ZENO=$(realpath "$1")
HERE=$(dirname "$(realpath "$0")")
ROOT=$(realpath "$HERE/../..")
export ROOT
. "$HERE/lib.sh"
need_node playwright-core
need_chromium
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
for folder in "$ROOT"/gallery/*/; do
    name=$(basename "$folder")
    "$ZENO" gallery run "$name" -q --view -o "$name.zeno.h5" || true # a limit may be broken
done
node "$HERE/screenshots.mjs" "$WORK" "$ROOT/docs/images"

#!/bin/sh
# Pictures of the reports of problems of the gallery, of all or of those named, into docs/images:
#     screenshots.sh ZENO [NAME...]
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
shift
[ $# -gt 0 ] || set -- $(cd "$ROOT/gallery" && ls -d */ | tr -d /)
for name in "$@"; do
    "$ZENO" gallery run "$name" -q --view -o "$name.zeno.h5" || true # a limit may be broken
done
node "$HERE/screenshots.mjs" "$WORK" "$ROOT/docs/images"
find "$ROOT/docs/images" -name 'report-*.png' -size +146k | while read -r large; do # fewer colours will do
    ! command -v convert >/dev/null || convert "$large" -colors 96 "PNG8:$large"
done

#!/bin/sh
# The moving picture of the README, docs/images/report.webp, from frames of reports: animation.sh ZENO
set -eu
ZENO=$(realpath "$1")
HERE=$(dirname "$(realpath "$0")")
ROOT=$(realpath "$HERE/../..")
PYTHON=/usr/bin/python3
export ROOT
. "$HERE/lib.sh"
need_node playwright-core
need_chromium
need_site
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"
for name in rocking-block flexible-cube slider-crank sphere-pile; do
    "$ZENO" gallery run "$name" -q -o "$name.zeno.h5" 2>/dev/null
    "$ZENO" view "$name.zeno.h5" --no-open -q -o "$name.html"
done
node "$HERE/animation.mjs" "$WORK"
"$PYTHON" "$HERE/animation.py" "$ROOT/docs/images/report.webp" frame-*.png

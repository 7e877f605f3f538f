#!/bin/sh
# Pictures of the reports of problems of the gallery and of the machines of the examples (the scene alone), of all or of those
# named, into docs/images; and of models of pages, docs/FOLDER/NAME.yaml as FOLDER-NAME.png:
#     screenshots.sh ZENO [NAME|MACHINE.yaml|docs/FOLDER/NAME.yaml...]
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
[ $# -gt 0 ] || set -- $(cd "$ROOT/gallery" && ls -d */ | tr -d /) $(cd "$ROOT/examples/machines" && ls *.yaml) $(cd "$ROOT" && ls docs/shapes/*.yaml)
for name in "$@"; do # a limit may be broken
    case $name in
    docs/*.yaml)
        flat=${name#docs/}
        flat=$(printf '%s' "${flat%.yaml}" | tr / -)
        "$ZENO" run "$ROOT/$name" -q --view -o "$flat.zeno.h5" || true
        ;;
    *.yaml) "$ZENO" run "$ROOT/examples/machines/$name" -q --view -o "machine-${name%.yaml}.zeno.h5" || true ;;
    *) "$ZENO" gallery run "$name" -q --view -o "$name.zeno.h5" || true ;;
    esac
done
node "$HERE/screenshots.mjs" "$WORK" "$ROOT/docs/images"
find "$ROOT/docs/images" -name 'report-*.png' -size +146k | while read -r large; do # fewer colours will do
    ! command -v convert >/dev/null || convert "$large" -colors 96 "PNG8:$large"
done

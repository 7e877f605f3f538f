#!/bin/sh
# The parts of this folder through zeno-cad, against numbers by hand. Environment: ZENO, ZENO_CAD.
set -eu
HERE=$(dirname "$(realpath "$0")")
[ -x "$ZENO_CAD" ] || { echo "skipped: zeno-cad was not built (make cad)"; exit 77; }
/usr/bin/python3 -c 'import numpy, yaml' 2>/dev/null || { echo "skipped: python3-numpy or python3-yaml is missing"; exit 77; }
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
PARTS=$(realpath "$HERE/../../docs/cad")
cp "$HERE"/*.step "$PARTS"/block.step "$WORK"
cd "$WORK"
"$ZENO" cad block.step --density 7800 --triangulation block.stl >block.out
"$ZENO" cad pair.step --density 7800 >pair.out
"$ZENO" cad shaft.step --density 7800 --ground --extract >shaft.out 2>shaft.err
ZENO_CAD=/nowhere "$ZENO" cad shaft.step --density 7800 --ground >again.out # from the data beside it
cmp shaft.out again.out
ZENO_CAD=/nowhere "$ZENO" cad "$PARTS/block.step" --density 7800 --triangulation block.stl | cmp - block.out # of the documentation
# damaged files: an error, never a crash or silence
sed 's/CYLINDRICAL_SURFACE/CONICAL/; s/MANIFOLD_SOLID_BREP/SHELL/' block.step >damaged.step
head -c 4000 block.step >cut.step
sed 's/TOROIDAL_SURFACE/PLANETARY_SURFACE/' pair.step >half.step # one of two solids: not left out in silence
for f in damaged cut half; do
    if "$ZENO" cad $f.step --density 1 >out 2>err; then echo "$f.step was read"; exit 1; fi
    grep -q "error: $f.step: " err
    [ ! -s out ]
done
/usr/bin/python3 "$HERE/by_hand.py"

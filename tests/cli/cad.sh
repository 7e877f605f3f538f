# zeno cad without zeno-cad and with programs in its place that fail in every way; data that lie beside.
. "$HERE/lib.sh"
cp "$HERE/../../docs/cad/block.step" .

# a program in place of zeno-cad
fake() { printf '#!/bin/sh\n%s\n' "$1" >fake && chmod +x fake; }

expect 2 env ZENO_CAD=/nowhere/zeno-cad "$ZENO" cad block.step --density 7800
err_has "ZENO_CAD: '/nowhere/zeno-cad' is not a program"
if [ ! -x "$(dirname "$ZENO")/../../cad/zeno-cad" ]; then
    expect 2 env -u ZENO_CAD PATH=/nowhere "$ZENO" cad block.step --density 7800
    err_has "zeno-cad, which reads STEP files with OpenCASCADE, is not there; build it with 'make cad'"
fi
export ZENO_CAD="$WORK/fake"

# what is no part
fake 'exit 0'
expect 2 "$ZENO" cad none.step --density 1
err_has 'none.step: No such file or directory'
echo hello >none.step
expect 2 "$ZENO" cad none.step --density 1
err_has "none.step: no STEP file: 'ISO-10303-21' does not stand at its beginning"
expect 2 "$ZENO" cad block.step
err_has 'of which density?'
expect 2 "$ZENO" cad block.step --density -1
err_has 'not positive'

# what a model file cannot tell is no name
for name in "$(printf 'two\nmass: 1.step')" "$(printf 'red\033[31m.step')"; do
    cp block.step "$name"
    expect 2 "$ZENO" cad "$name" --density 1
    err_has 'a model file cannot tell such a name'
    out_empty
    rm "$name"
done

# programs that fail
expect 2 "$ZENO" cad block.step --density 1
err_has 'block.step: zeno-cad left no data'
fake 'echo "no solid inside" >&2; exit 1'
expect 2 "$ZENO" cad block.step --density 1
err_has 'error: block.step: no solid inside$'
fake 'kill -SEGV $$'
expect 2 "$ZENO" cad block.step --density 1
err_has 'block.step: zeno-cad was ended by signal 11'
fake 'exec sleep 60'
expect 2 "$ZENO" cad block.step --density 1 --timeout 0.1
err_has 'block.step: zeno-cad took longer than 0.1 s and was ended'
fake 'echo "solids: {a: 1}" >$2'
expect 2 "$ZENO" cad block.step --extract
err_has "data of zeno-cad:6:13: solid 'a': expected a map"
absent block.step.yaml
absent block.step.stl

# one that works: data and triangles go beside the part, and are used without it
cat >answer <<'END'
solids:
  cube:
    volume: 8e-6
    area: 0.0024
    centre: [0.1, 0.2, 0.3]
    inertia: [[5e-10, 0, 0], [0, 5e-10, 0], [0, 0, 5e-10]]
    low: [0, 0, 0]
    high: [1, 1, 1]
    first_triangle: 0
    triangles: 1
    faces:
      bore1: {kind: bore, area: 1, at: [0.1, 0.2, 0.5], axis: [0, 0, 1], radius: 0.25, length: 2, angle: 1.5}
      bezier1: {kind: bezier, area: 3}
END
printf 'solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid\n' >one.stl
fake "cat $WORK/answer >\$2; cat $WORK/one.stl >\$3"
expect 0 "$ZENO" cad block.step --extract --density 1000
out_has '^    mass: 0.008$'
out_has 'inertia: \[\[5e-07, 0, 0\], \[0, 5e-07, 0\], \[0, 0, 5e-07\]\]'
out_has 'position: \[0.1, 0.2, 0.3\]'
out_has 'bore1: {surface: {body: cube, at: \[0, 0, 0.2\], bore: {axis: \[0, 0, 1\], radius: 0.25, length: 2}}, angle: 1.5, area: 1}'
out_has 'bezier1: {area: 3}'
cmp -s one.stl block.step.stl || complain "the triangles differ"
grep -q "^sha256: $(sha256sum block.step | cut -d' ' -f1)$" block.step.yaml || complain "another digest"
fake 'exit 1'
expect 0 "$ZENO" cad block.step --density 1000 --ground --triangulation copy.stl
out_has 'bore1: {surface: {at: \[0.1, 0.2, 0.5\], bore:'
out_has 'draw: {stl: copy.stl, at: \[-0.1, -0.2, -0.3\]}'
cmp -s one.stl copy.stl || complain "the copy of the triangles differs"
expect 2 "$ZENO" cad block.step --triangulation block.step
err_has 'block.step'

# a model with it, which wants nothing else; another content of the part
cat >model.yaml <<'END'
zeno: 1
planar: false
bodies:
  part: {cad: block.step, density: 1000}
run: {step: 1 ms, until: 1 ms}
END
expect 0 "$ZENO" check model.yaml
echo >>block.step
expect 2 "$ZENO" check model.yaml
err_has "model.yaml:4:15: body 'part': 'block.step' has changed since its data were taken: run 'zeno cad block.step --extract' again"
rm block.step.yaml
expect 2 "$ZENO" check model.yaml
err_has "there are no data of 'block.step' beside it (block.step.yaml): run 'zeno cad block.step --extract'"
finish

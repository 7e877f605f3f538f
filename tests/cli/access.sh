# What a model may read: files in its folder and below, others by --allow-path; the same in every verb.
. "$HERE/lib.sh"
mkdir -p home/sub other results
table() { printf '0,0\n1,%s\n' "$1"; }
table 1 >home/sub/pull.csv
table 2 >other/pull.csv
model() {
    printf 'zeno: 1\nplanar: true\nbodies: {b: {mass: 1, inertia: 1}}\nloads: {l: {body: b, force: [{csv: %s}, 0]}}\n' "$1"
    printf 'record: {x: b.position.x}\nrun: {scheme: moreau_jean, step: 0.1, until: 0.5, frames: 2, checkpoint_every: 2}\n'
}
model sub/pull.csv >home/own.yaml
model ../other/pull.csv >home/far.yaml
ln -s ../other/pull.csv home/link.csv
model link.csv >home/link.yaml
printf 'zeno: 1\ngroups: {a: {include: ../home/own.yaml}}\nrun: {step: 0.1, until: 0.1}\n' >other/includes.yaml
WHY='it is outside the folder of the model; to let it be read: --allow-path .*/other$'

expect 0 "$ZENO" run home/own.yaml -o results/own.h5 -q
(cd home && expect 0 "$ZENO" run own.yaml --no-output -q) || FAILED=1
for m in home/far.yaml home/link.yaml; do
    for verb in 'run -q --no-output' check info 'sweep --vary step=0.1 --measure final(x)' 'converge --of x --steps 0.05:0.1' 'modes --no-output'; do
        set -- $verb
        name=$1
        shift
        expect 2 "$ZENO" "$name" $m "$@"
        err_has "$WHY"
    done
    expect 0 "$ZENO" run $m --no-output -q --allow-path other
    expect 0 "$ZENO" check $m --allow-path=other --allow-path results
    expect 0 "$ZENO" info $m --allow-path .
    expect 0 "$ZENO" sweep $m --vary step=0.1,0.05 --measure 'final(x)' --allow-path other -j 2
    expect 0 "$ZENO" converge $m --of x --steps 0.05:0.1 --allow-path other
    expect 2 "$ZENO" run $m --no-output -q --allow-path results
    err_has "$WHY"
done
expect 2 "$ZENO" check other/includes.yaml
err_has 'includes.yaml:2:.*own.yaml: it is outside the folder of the model'
expect 2 "$ZENO" check home/own.yaml --allow-path nowhere
err_has "allowed path 'nowhere': No such file or directory"
expect 2 "$ZENO" reference --allow-path other

# A result: what it was made with may be anywhere, but only as it was.
expect 0 "$ZENO" run home/far.yaml --allow-path other -o results/far.h5 -q
for verb in 'view --no-open -o page.html' "export --vtu=frames"; do
    set -- $verb
    name=$1
    shift
    expect 0 "$ZENO" "$name" results/far.h5 "$@"
    err_empty
done
expect 0 "$ZENO" run --restart results/far.h5 --until 0.6 -o results/on.h5 -q
table 3 >other/pull.csv
expect 2 "$ZENO" export results/far.h5 --vtu=frames2
err_has "$WHY"
expect 0 "$ZENO" export results/far.h5 --vtu=frames2 --allow-path other
err_has 'something else is now in the file'
expect 2 "$ZENO" run --restart results/far.h5 --until 0.6 -o results/on2.h5 -q
err_has "$WHY"

# What is only seen.
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >other/look.stl
printf 'zeno: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], draw: {stl: ../other/look.stl}}}\nrun: {step: 0.1, until: 0.2, frames: 1, checkpoint_every: 1}\n' >home/seen.yaml
expect 2 "$ZENO" check home/seen.yaml
err_has "$WHY"
expect 0 "$ZENO" run home/seen.yaml --allow-path other -o results/seen.h5 -q
expect 0 "$ZENO" view results/seen.h5 --no-open -o seen.html
err_empty
expect 0 "$ZENO" run home/seen.yaml --allow-path other --restart results/seen.h5 --until 0.3 -o results/seen2.h5 -q

# Meshes of robots: beside the URDF file, or in its package.
mkdir -p ws/arm/urdf ws/arm/meshes
cp "$HERE/import/meshes/tetra.stl" ws/arm/meshes/
cp "$HERE/import/meshes/tetra.stl" other/
robot() {
    printf '<robot name="r"><link name="base"/><link name="a"><inertial><mass value="1"/>'
    printf '<inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><mesh filename="%s"/></geometry></collision></link>' "$1"
    printf '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>\n'
}
robot package://arm/meshes/tetra.stl >ws/arm/urdf/arm.urdf
expect 0 "$ZENO" import ws/arm/urdf/arm.urdf -o arm.yaml
robot package://other/tetra.stl >ws/arm/urdf/arm.urdf
expect 2 "$ZENO" import ws/arm/urdf/arm.urdf -o arm2.yaml
err_has "$WHY"
expect 0 "$ZENO" import ws/arm/urdf/arm.urdf -o arm2.yaml --allow-path other
robot ../../../other/tetra.stl >ws/arm/urdf/arm.urdf
expect 2 "$ZENO" import ws/arm/urdf/arm.urdf -o arm3.yaml
err_has "$WHY"
finish

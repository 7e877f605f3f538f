# zeno import: robots and parts become models that pass zeno check and run; faults are told with their line.
. "$HERE/lib.sh"
cp -r "$HERE/import/robot.urdf" "$HERE/import/meshes" .

# every kind of joint and geometry
expect 0 "$ZENO" import robot.urdf
file=robot.yaml
has() { grep -q -e "$1" "$file" || complain "$file lacks '$1'"; }
has '# robot.urdf:52: <transmission> has no counterpart'
has "# robot.urdf:46: joint 'left' begins at its limit 0.01"
has '^  arm: {mass: 2, inertia: \[0.02, 0.01, 0.015\], position: \[0, 0, 0.45\]'  # turned by a quarter: x and y change places
has "draw: {colour: '#808099'}"
has '^  # with what is fixed to it: tool$'
# two masses of 1 kg, 0.1 m of the second along y and 0.2 m along z: centre half way, m/2 d^2 about it
has '^  arm_shape: {mass: 2, inertia: \[\[0.027, 0, 0\], \[0, 0.022, -0.01\], \[0, -0.01, 0.007\]\]'
has '^  arm_shape_: {body: arm, box'
has "mesh: {file: 'meshes/tetra.stl', scale: 0.001}"
has '^  right_follows: {type: coupling, joints: {right: 1, left: 1}}'
has 'limits: \[-1, 2.5\], damping: 0.4, dry_friction: 0.1}  # effort 30 N m, velocity 3 rad/s'
expect 0 "$ZENO" check robot.yaml
expect 0 "$ZENO" run robot.yaml --until 0.02 -q
expect 2 "$ZENO" import robot.urdf
err_has "robot.yaml: it is there already; '-o robot.yaml' writes over it"

# seen from another folder; the start; the root as a body; hulls; a part to include
mkdir -p deep/er
expect 0 "$ZENO" import robot.urdf -o deep/er/r.yaml --set elbow=0.5 --set left=0.02 --hull
file=deep/er/r.yaml
has "hull: {file: '../../meshes/tetra.stl', scale: 0.001}"
has 'elbow: .*start: 0.5'
has 'right: .*start: -0.015'
has "meshes are outside the folder of this file: --allow-path"
expect 2 "$ZENO" check deep/er/r.yaml
expect 0 "$ZENO" check deep/er/r.yaml --allow-path meshes
expect 0 "$ZENO" import robot.urdf -o part.yaml --part
printf 'zeno: 1\ngroups: {one: {include: part.yaml, at: [1, 0, 0]}}\nrun: {step: 1 ms, until: 1 ms}\n' >whole.yaml
expect 0 "$ZENO" check whole.yaml
expect 2 "$ZENO" import robot.urdf -o x.yaml --set elbo=1
err_has "there is no joint 'elbo'"
expect 2 "$ZENO" import robot.urdf -o x.yaml --set shoulder=3
err_has "joint 'shoulder': 3 is beyond its limits, -1 to 2.5"
expect 2 "$ZENO" import robot.urdf -o x.yaml --scale 1
err_has "--scale: it has no meaning for 'robot.urdf'"
expect 2 "$ZENO" import robot.urdf -o x.yaml --free
err_has "robot.urdf:5: link 'world' moves but has no mass"

# signs: an arm along x falls about y, a slide goes down, each to its upper limit; the follower goes the other way
inertial='<inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'
cat >fall.urdf <<END
<robot name="fall"><link name="base"/><link name="a">$inertial</link><link name="s">$inertial</link><link name="f">$inertial</link>
<joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="0.25" effort="1" velocity="1"/></joint>
<joint name="slide" type="prismatic"><parent link="base"/><child link="s"/><axis xyz="0 0 -1"/>
  <limit lower="-1" upper="0.5" effort="1" velocity="1"/></joint>
<joint name="other" type="prismatic"><parent link="base"/><child link="f"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="slide" multiplier="-2" offset="0.1"/></joint></robot>
END
expect 0 "$ZENO" import fall.urdf
expect 0 "$ZENO" run fall.yaml --until 0.8 -q
expect 0 "$ZENO" export fall.zeno.h5 --csv fall.csv
tail -1 fall.csv | awk -F, '{ e = 1e-9; if ($2 - 0.25 > e || 0.25 - $2 > e || $3 - 0.5 > e || 0.5 - $3 > e || $4 + 0.9 > e || -0.9 - $4 > e) exit 1 }' ||
    complain "travels at the end: $(tail -1 fall.csv)"

# the arm of examples/machines is what its URDF file makes
cp -r "$HERE/../../examples/machines/arm" .
expect 0 "$ZENO" import arm/arm.urdf --part -o arm.yaml
cmp -s arm.yaml arm/arm.yaml || complain "examples/machines/arm/arm.yaml is another one than 'zeno import' makes"

# parts
expect 0 "$ZENO" import meshes/tetra.stl --density 7850
file=tetra.yaml
has "tetra: {mesh: {file: 'meshes/tetra.stl', scale: 0.001}, density: 7850, origin: \[-0.015, -0.015, 0.015\]}"
has '# Assumed: one unit of the file is 1 mm'
expect 0 "$ZENO" run tetra.yaml --until 0.05 -q
expect 0 "$ZENO" import meshes/tetra.stl --hull --scale 1 -o hull.yaml
file=hull.yaml
has 'density: 1000'
expect 0 "$ZENO" check hull.yaml
cp meshes/tetra.stl touch.stl
expect 0 "$ZENO" import touch.stl
expect 0 "$ZENO" check touch.yaml
sed 2q meshes/tetra.stl >flat.stl && echo 'endsolid tetra' >>flat.stl
expect 2 "$ZENO" import flat.stl --hull
err_has 'flat.stl: its points are fewer than four'
absent flat.yaml
sed 5d meshes/tetra.stl >open.stl
expect 2 "$ZENO" import open.stl
err_has "open.stl: .*; '--hull' takes its hull"
expect 2 "$ZENO" import nothing.stl
err_has 'nothing.stl: No such file'
expect 2 "$ZENO" import gear.step
err_has 'gear.step: what is imported is a .urdf, .stl, .obj or .xml (MJCF) file'
absent open.yaml

# scenes: without zeno-mjcf, with one that fails, and with it where it has been built
cp "$HERE/import/scene.xml" .
expect 2 env ZENO_MJCF=/nowhere/zeno-mjcf "$ZENO" import scene.xml
err_has "ZENO_MJCF: '/nowhere/zeno-mjcf' is not a program"
# a folder that happens to lie beside that of somebody's bin is not asked
mkdir -p homes/anna/bin homes/mjcf
cp "$ZENO" homes/anna/bin/zeno
printf '#!/bin/sh\necho "I was asked" >&2; exit 1\n' >homes/mjcf/zeno-mjcf && chmod +x homes/mjcf/zeno-mjcf
expect 2 env -u ZENO_MJCF PATH=/nowhere homes/anna/bin/zeno import scene.xml
err_has 'zeno-mjcf, which reads MJCF files with MuJoCo, is not there'
printf '#!/bin/sh\necho "no element mujoco" >&2; exit 1\n' >fake && chmod +x fake
expect 2 env ZENO_MJCF="$WORK/fake" "$ZENO" import scene.xml
err_has 'error: scene.xml: no element mujoco$'
absent scene.yaml
printf '#!/bin/sh\nkill -SEGV $$\n' >fake
expect 2 env ZENO_MJCF="$WORK/fake" "$ZENO" import scene.xml
err_has 'error: scene.xml: zeno-mjcf was ended by signal 11'
printf '#!/bin/sh\nexec sleep 60\n' >fake
expect 2 env ZENO_MJCF="$WORK/fake" "$ZENO" import scene.xml --timeout 0.1
err_has 'error: scene.xml: zeno-mjcf took longer than 0.1 s and was ended'
absent scene.yaml
expect 2 "$ZENO" import robot.urdf -o x.yaml --timeout 1
err_has "--timeout: it has no meaning for 'robot.urdf'"
for mjcf in "$(dirname "$ZENO")/../../mjcf/zeno-mjcf"; do
    [ -x "$mjcf" ] || continue
    expect 0 "$ZENO" import scene.xml
    file=scene.yaml
    # masses by hand: 1000 kg/m^3 of a box of 0.2 x 0.1 x 0.08 m; the pole is turned by 20 degrees about y
    has '^  cart: {mass: 1.6, inertia: \[\[0.00218666666666667, 0, 0\]'
    has '^  pole: .*rotation: \[0.984807753012208, 0, 0.17364817766693'
    has '^  rail: {type: prismatic, body: cart, .*axis: \[1, 0, 0\], limits: \[-1, 1\], damping: 0.3}'
    has '^  hinge: {type: revolute, body: pole, at: \[0, 0, -0.215\], to: cart, axis: \[0, 1, 0\], damping: 0.01, dry_friction: 0.02}'
    has '^  tip_weld: {type: fixed, body: tip, at: \[0, 0, 0\], to: pole}'
    has '^  joint4: {type: universal, body: u, at: \[0, 0, 0.3\], axis: \[0, 1, 0\], axis2: \[1, 0, 0\]}'
    has 'except: \[\[can, bob\]\]'
    has '^# left out: 1 actuators'
    expect 0 "$ZENO" check scene.yaml
    expect 0 "$ZENO" run scene.yaml --until 0.02 -q
    # a robot as MuJoCo reads it: masses, places, turns and axes are the same
    cp "$HERE/import/turned.urdf" .
    expect 0 "$ZENO" import turned.urdf
    expect 0 "$mjcf" turned.urdf other.yaml 0
    for one in turned other; do
        grep -E '^  [a-z_]*: {(mass|type)' $one.yaml | sed 's/, draw:.*//' | sort | grep -oE '(mass|position|rotation|axis): [^a-z]*' |
            tr -c '0-9.eE+\n-' ' ' | tr -s ' ' '\n' | grep '[0-9]' >$one.numbers
    done
    paste turned.numbers other.numbers | awk '{ d = $1 - $2; n++; if (d > 1e-12 || d < -1e-12) bad = 1 } END { exit bad || n < 40 }' ||
        complain "turned.urdf is another robot for MuJoCo"
    echo '<mujoco><worldbody><body><joint type="slide"/><joint type="ball"/><geom size="1"/></body></worldbody></mujoco>' >odd.xml
    expect 2 "$ZENO" import odd.xml
    err_has "odd.xml: body 'body1' has 2 joints that are no joint of two bodies together"
    # what Zeno would refuse
    refused() { # MESSAGE BODY [OPTION]
        echo "<mujoco>${3:-}<worldbody><body name=\"b\">$2</body></worldbody></mujoco>" >odd.xml
        expect 2 "$ZENO" import odd.xml
        err_has "odd.xml: $1"
        absent odd.yaml
    }
    refused 'its timestep is 0 s' '<freejoint/><geom size="1"/>' '<option timestep="0"/>'
    refused "joint 'j' has no axis" '<joint name="j" axis="1e308 0 1"/><geom size="1"/>'
    refused "body 'b' moves but has no mass or inertia of its own" '<joint/><body><geom size="1"/></body>'
    refused '.*numbers in it, as MuJoCo reads them, are none' '<joint damping="1" stiffness="inf"/><geom size="1"/>'
    echo '<mujoco><worldbody><body><joint ref="100" limited="true" range="0 1"/><geom size="1"/></body></worldbody></mujoco>' >odd.xml
    expect 0 "$ZENO" import odd.xml
    expect 0 "$ZENO" check odd.yaml
    grep -q '^contacts' odd.yaml && complain 'nothing in it can touch'
    rm odd.yaml
    echo '<mujoco><worldbody><bdy/></worldbody></mujoco>' >odd.xml
    expect 2 "$ZENO" import odd.xml
    err_has "odd.xml: .*bdy"
    # what it reads: its folder and below, others by --allow-path; nothing of them is told or written
    mkdir -p far near/below
    cp "$HERE/import/meshes/tetra.stl" far/text.stl
    echo '<mujoco/>' >far/part.xml
    echo 'root:x:0:0:secret' >far/secret
    ln -s ../far near/link
    reads() { echo "<mujoco>$1<worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>" >near/scene.xml; }
    for element in '<include file="../far/part.xml"/>' '<include file="link/part.xml"/>' '<include file="link/secret"/>' \
        '<asset><mesh name="m" file="../far/text.stl"/></asset>' \
        '<compiler meshdir="../far"/><asset><mesh name="m" file="text.stl"/></asset>' \
        '<asset><texture type="2d" name="t" file="/dev/zero"/></asset>' \
        '<asset><hfield name="h" file="link/secret" size="1 1 1 1"/></asset>'; do
        reads "$element"
        expect 2 "$ZENO" import near/scene.xml -o read.yaml --timeout 20
        err_has 'scene.xml: .*: it is outside the folder of the scene; to let it be read: --allow-path /'
        grep -q 'root:x' err && complain "a secret of '$element' is told"
        absent read.yaml
    done
    echo '<mujoco><worldbody><body name="more"><freejoint/><geom size="2"/></body></worldbody></mujoco>' >far/part.xml
    cp far/part.xml near/below/
    reads '<include file="below/part.xml"/>'
    expect 0 "$ZENO" import near/scene.xml -o near.yaml
    reads '<include file="../far/part.xml"/>'
    expect 0 "$ZENO" import near/scene.xml -o far.yaml --allow-path far
    for file in near.yaml far.yaml; do
        has '^  more: '
    done
    expect 2 "$ZENO" import near/scene.xml -o x.yaml --allow-path nowhere
    err_has "scene.xml: allowed path 'nowhere': no folder"
    expect 2 "$ZENO" import meshes/tetra.stl -o x.yaml --allow-path far
    err_has "--allow-path: it has no meaning for 'meshes/tetra.stl'"
done

# what is wrong, each told with its line; no file is left
body='<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
joint='<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>'
wrong() { # MESSAGE TEXT: in line 2 of a robot
    printf '<robot name="r">\n%s\n</robot>\n' "$2" >bad.urdf
    expect 2 "$ZENO" import bad.urdf
    err_has "$1"
    [ "$(wc -l <err)" -eq 1 ] || complain "more than one line for '$1'"
    absent bad.yaml
}
wrong "bad.urdf:3: no XML: mismatched tag" '<link name="a">'
wrong "bad.urdf:2: unknown <lnk> in <robot>; known: link joint material" '<lnk/>'
wrong "bad.urdf:2: <link> has an unknown attribute 'nam'; known: name type" '<link nam="a"/>'
# an extension of another program is left out of a robot, but no robot itself
for whole in '<a:b/>' '<:/>' '<a:robot name="r"/>' '<a:b><robot name="r"><link name="l"/></robot></a:b>'; do
  echo "$whole" >bad.urdf
  expect 2 "$ZENO" import bad.urdf -o x.yaml
  err_has "bad.urdf:1: unknown <"
  err_has "in <the file>; known: robot"
done
wrong "bad.urdf:2: there is a link 'a' already, at line 2" "$body$body"
wrong "bad.urdf:2: joint 'j': there is no link 'base'" "$body$joint"
wrong "bad.urdf:2: link 'b' is held by no joint, nor is 'a'" "$body<link name=\"b\"/>"
wrong "bad.urdf:2: link 'a' moves by joint 'j' but has no mass" "<link name=\"base\"/><link name=\"a\"/>$joint"
wrong "bad.urdf:2: joint 'k': link 'a' is held by joint 'j' already" "<link name=\"base\"/>$body$joint<joint name=\"k\" type=\"fixed\"><parent link=\"base\"/><child link=\"a\"/></joint>"
wrong "bad.urdf:2: link 'a' is part of a loop" "<link name=\"r\"/>$body<link name=\"base\"/>$joint<joint name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"base\"/></joint>"
wrong 'bad.urdf:2: <mass>: value="nan": expected 1 finite number' '<link name="a"><inertial><mass value="nan"/></inertial></link>'
wrong "bad.urdf:2: link 'a': a mass of -1 kg" '<link name="a"><inertial><mass value="-1"/></inertial></link>'
wrong "bad.urdf:2: link 'a': a moment of inertia iyy of -1" '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="-1" izz="1"/></inertial></link>'
wrong "bad.urdf:2: body 'a': its inertia is not positive definite" "<link name=\"base\"/><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/></inertial></link>$joint"
wrong "bad.urdf:2: <inertial> ends without <inertia>" '<link name="a"><inertial><mass value="1"/></inertial></link>'
wrong "bad.urdf:2: joint 'j': it lacks <limit>" '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'
wrong "bad.urdf:2: joint 'j': its type is one of" '<joint name="j" type="ball"/>'
wrong "bad.urdf:2: mesh 'none.stl': no such file" '<link name="base"><collision><geometry><mesh filename="none.stl"/></geometry></collision></link>'"$body$joint"
: >bad.dae
wrong "bad.urdf:2: mesh 'bad.dae': Collada files are not read" '<link name="base"><collision><geometry><mesh filename="bad.dae"/></geometry></collision></link>'"$body$joint"
wrong "bad.urdf:2: mesh 'a.stl': a scale of 1, 2, 1 has no counterpart" '<link name="a"><visual><geometry><mesh filename="a.stl" scale="1 2 1"/></geometry></visual></link>'
wrong "bad.urdf:2: link 'a': <box> with a length of 0 m" '<link name="a"><visual><geometry><box size="1 0 1"/></geometry></visual></link>'
wrong "bad.urdf:2: <xacro:property>: a xacro file is not URDF yet" '<xacro:property name="x"/>'
wrong "bad.urdf: nothing in it moves" '<link name="a"/>'
printf '<!DOCTYPE robot [<!ENTITY a "b">]>\n<robot name="&a;"/>\n' >bad.urdf
expect 2 "$ZENO" import bad.urdf
err_has 'bad.urdf:1: a document type is not part of URDF'
finish

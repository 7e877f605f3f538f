# zeno check and zeno info on models.
. "$HERE/lib.sh"
MODEL=$HERE/ball.yaml

expect 0 "$ZENO" check "$MODEL"
out_has 'ball.yaml: ok (degrees of freedom 2, contacts 1, records 3, steps 1000, scheme moreau_jean)'
err_empty
expect 0 "$ZENO" check "$MODEL" --step 1e-4
out_has 'steps 10000'
expect 2 "$ZENO" check
expect 2 "$ZENO" check nothing.yaml
err_has 'nothing.yaml'
sed 's/ball.position.y/ball.posture.y/' "$MODEL" >record.yaml
expect 2 "$ZENO" check record.yaml
err_has 'posture'
sed 's/ball.position.y/ball.position.w/' "$MODEL" >component.yaml
expect 2 "$ZENO" check component.yaml
err_has "^component.yaml:[0-9]*:[0-9]*: record '.*': 'position' has no component 'w'; it has x y"
expect 2 "$ZENO" check "$MODEL" record.yaml
out_has 'ball.yaml: ok'
printf 'zeno: 1\nbodies: [\n' >cut.yaml
expect 2 "$ZENO" check cut.yaml
err_has '^cut.yaml:[0-9]*:[0-9]*: '
expect 2 "$ZENO" check "$MODEL" --set e=2
err_has 'restitution'
sed 's/position: \[0, 1/position: [0, -1/' "$MODEL" >below.yaml
expect 2 "$ZENO" check below.yaml
err_has "contact 'floor': at t = 0 s, the start, 'ball' is 1 m inside the ground"
expect 2 "$ZENO" run below.yaml --no-output
err_has "'ball' is 1 m inside the ground"
sed 's/^run: *{/run: {start_penetration: 1.5 m, /; s/^run:$/run:\n  start_penetration: 1.5 m/' below.yaml >meant.yaml
expect 0 "$ZENO" check meant.yaml

# Two groups of one mesh with an edge between them, and a third that is elsewhere.
cat >three.msh <<END
\$MeshFormat
2.2 0 8
\$EndMeshFormat
\$PhysicalNames
3
2 1 "left"
2 2 "right"
2 3 "far"
\$EndPhysicalNames
\$Nodes
10
1 0 0 0
2 1 0 0
3 3 0 0
4 0 2 0
5 1 2 0
6 3 2 0
7 5 0 0
8 6 0 0
9 6 1 0
10 5 1 0
\$EndNodes
\$Elements
3
1 3 2 1 1 1 2 5 4
2 3 2 2 2 2 3 6 5
3 3 2 3 3 7 8 9 10
\$EndElements
END
groups() { # of the second part
    cat >groups.yaml <<END
zeno: 1
planar: true
materials: {soft: {young: 1e5, poisson: 0.2, density: 30}}
parts:
  a: {element: solid, material: soft, mesh: {file: three.msh, group: left}}
  b: {element: solid, material: soft, mesh: {file: three.msh, group: $1}$2}
run: {scheme: moreau_jean, step: 1e-4, until: 1e-3}
END
}
groups right ''
expect 0 "$ZENO" check groups.yaml
out_has 'degrees of freedom 12'
groups right ', velocity: [1, 0]'
expect 2 "$ZENO" check groups.yaml
err_has "groups.yaml:6:[0-9]*: part 'b': its velocity is not that of 'a\[[0-9]*\]', which is one of its nodes"
groups 'right, apart: true' ''
expect 0 "$ZENO" check groups.yaml
out_has 'degrees of freedom 16'
groups far ''
expect 0 "$ZENO" check groups.yaml

expect 0 "$ZENO" info "$MODEL"
out_has 'Bouncing ball'
out_has 'planar'
out_has 'linear (operators are factored once)'
out_has '1000 steps of 0.001 s'
out_has 'parameter      e = 0.5'
out_has 'limit          penetration <= 0.01 m'
expect 2 "$ZENO" info
expect 2 "$ZENO" info "$MODEL" "$MODEL"
expect 2 "$ZENO" info nothing
# formulas of formulas end: a chain, one that doubles, a circle, a name that reads as a formula of itself
formulas() {
    printf 'zeno: 1\nplanar: true\nbodies: {b: {mass: 1}}\nrun: {step: 0.1, until: 0.2}\nrecord:\n  r0: b.position.x + 1\n  r1: b.position.x + 2\n'
    i=2
    while [ $i -lt "$2" ]; do
        printf '  r%d: r%d + %s\n' $i $((i - 1)) "$([ "$1" = chain ] && echo 1 || echo r$((i - 2)))"
        i=$((i + 1))
    done
}
formulas chain 30 >chain.yaml
expect 0 "$ZENO" check chain.yaml
for kind in chain:200 double:60; do
    formulas "${kind%:*}" "${kind#*:}" >many.yaml
    expect 2 "$ZENO" check many.yaml
    err_has 'too many formulas of formulas (32 inside each other, 1000 in all)'
done
formulas chain 2 >circle.yaml
printf '  a: d + 1\n  d: a + 1\n  c: a + 1\n' >>circle.yaml
expect 2 "$ZENO" check circle.yaml
err_has "record 'a': there is no number 'd'"
formulas chain 2 >itself.yaml
printf '  same: b.posi[i+1]tion.x + 1\n' >>itself.yaml
expect 2 "$ZENO" check itself.yaml
err_has "record 'same': there is no number 'b.posi\[i+1\]'"

# An angle of more than a turn without a unit may be meant in degrees: told once for each place, and no fault.
angles() {
    cat <<END
zeno: 1
planar: true
bodies:
  a: {mass: 1, inertia: 1, position: [0, 1], angle: $1}
  b: {repeat: {i: 0..3}, mass: 1, inertia: 1, position: [3*i, 1], angle: $2}
springs: {s: {type: torsion, from: a, to: ground, stiffness: 1, free_angle: $3}}
run: {scheme: moreau_jean, step: 1e-3, until: 0.01}
END
}
angles 30 '40 + i' -90 >angles.yaml
for verb in check 'run -q --no-output'; do
    expect 0 "$ZENO" $verb angles.yaml
    err_has "^angles.yaml:4:[0-9]*: warning: body 'a': 'angle' is 30 rad, more than a turn; write 'rad' behind it"
    err_has "^angles.yaml:5:[0-9]*: warning: body 'b\[0\]': 'angle' is 40 rad"
    err_has "^angles.yaml:6:[0-9]*: warning: spring 's': 'free_angle' is -90 rad"
    [ "$(wc -l <err)" -eq 3 ] || complain "a warning is there more than once"
done
angles '30 deg' '40 rad' -6.28 >angles.yaml
expect 0 "$ZENO" check angles.yaml
err_empty
angles 6.28 '4*pi' '(t + 20)' >angles.yaml
expect 0 "$ZENO" check angles.yaml
err_empty
finish

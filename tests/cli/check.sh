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
finish

# zeno run: exit statuses, messages, files.
. "$HERE/lib.sh"
MODEL=$HERE/ball.yaml

expect 0 "$ZENO" run "$MODEL"
out_has 'Bouncing ball'
out_has 'penetration .*floor, t = 0.4[0-9]* s .*limit 0.01 kept'
out_has '1000 steps'
out_has 'results in ball.zeno.h5'
err_empty
exists ball.zeno.h5
absent ball.zeno.h5.part

# a broken limit: told, counted, and the results are there
expect 1 "$ZENO" run "$MODEL" --set deepest=1e-6 -o broken.h5
out_has 'BROKEN'
err_has "error: limit broken: penetration"
exists broken.h5
expect 0 "$ZENO" run "$MODEL" --set deepest=1e-6 --scheme combined_projection --no-output
out_has 'kept'

expect 0 "$ZENO" run "$MODEL" --quiet --no-output
out_empty
err_empty
expect 0 "$ZENO" run "$MODEL" --output=here.h5 --step=5e-4 --until 0.5 -q
exists here.h5
expect 0 "$ZENO" run "$MODEL" --scheme moreau_jean:theta=1,gamma=0.5 --no-output
expect 0 "$ZENO" run "$MODEL" --scheme :theta=0.75 --no-output
out_has '^moreau_jean'

# energy from nowhere: told, and the run is fine; with a limit it is not
cat > hole.yaml <<END
zeno: 1
planar: true
gravity: [0, -9.81]
bodies: {p: {mass: 2, inertia: 0.21, velocity: [2, 1.5], spin: 4}}
contacts:
END
for corner in 'a -0.4 -0.4' 'b 0.4 -0.4' 'c 0.4 0.4' 'd -0.4 0.4'; do
    set -- $corner
    for wall in 'w 1 0 -0.402 0' 'e -1 0 0.402 0' 's 0 1 0 -0.402' 'n 0 -1 0 0.402'; do
        set -- $1 $2 $3 $wall
        echo "  $1$4: {point: p, at: [$2, $3], surface: {plane: [$5, $6], through: [$7, $8]}, restitution: 1}"
    done
done >> hole.yaml
echo 'run: {scheme: moreau_jean, step: 1e-3, until: 0.5}' >> hole.yaml
expect 0 "$ZENO" run hole.yaml
out_has 'energy created  .*[abcd][wesn], t = .* TOO MUCH'
err_has "warning: energy created: .*most at t = .* by 'contact' of '[abcd][wesn]'"
expect 0 "$ZENO" info hole.zeno.h5
out_has 'energy created .*[abcd][wesn], t = .* TOO MUCH'
expect 0 "$ZENO" run hole.yaml --json --no-output
out_has '"warning": true'
out_has '"line": "contact"'
echo 'limits: {energy_created: 1e-3}' >> hole.yaml
expect 1 "$ZENO" run hole.yaml --no-output
err_has "limit broken: energy created .* exceeds 0.001 at t = .* (contact '[abcd][wesn]')"
expect 0 "$ZENO" run "$MODEL" --no-output
err_empty

# what is not measured is not shown as 0, and cannot be limited
expect 0 "$ZENO" run "$MODEL" --set deepest=1 --scheme schatzman_paoli --no-output
out_has 'velocity violation  *- *not measured$'
expect 0 "$ZENO" run "$MODEL" --set deepest=1 --scheme schatzman_paoli --json --no-output
grep -A1 '"velocity": {' "$WORK/out" | grep -q '"value": null' || complain "velocity is not null"
sed -e 's/^limits: {/limits: {velocity: 1e-3, /' "$MODEL" > velocity.yaml
expect 1 "$ZENO" run velocity.yaml --set deepest=1 --scheme schatzman_paoli --no-output
err_has 'limit: velocity violation is not measured by this scheme, so 0.001 m/s cannot be kept'
sed -i -e 's/moreau_jean/schatzman_paoli/' velocity.yaml
expect 2 "$ZENO" run velocity.yaml --set deepest=1
err_has 'limit: velocity violation is not measured by this scheme, so 0.001 m/s cannot be kept'
absent velocity.zeno.h5

# momenta: measured by the scheme that keeps them, along axes that nothing acts along
cat > flying.yaml <<END
zeno: 1
planar: true
gravity: [0, -10]
bodies: {a: {mass: 2, position: [0, 1], velocity: [1, 3]}, b: {mass: 1, position: [2, 1]}}
springs: {spring: {from: a, to: b, stiffness: 100, rest_length: 2}}
limits: {linear_momentum: 1e-12, spin_momentum: 1e-12}
run: {scheme: energy_momentum, step: 0.01, until: 0.5}
END
expect 0 "$ZENO" run flying.yaml
out_has 'linear momentum .*limit 1e-12 kept'
out_has 'angular, about centre .*limit 1e-12 kept'
expect 0 "$ZENO" info flying.zeno.h5 --json
grep -A1 '"angular_momentum": {' "$WORK/out" | grep -q '"value": null' || complain "gravity acts, angular momentum is not null"
grep -A1 '"spin_momentum": {' "$WORK/out" | grep -q '"value": [0-9]' || complain "spin_momentum is not measured"
sed -i -e 's/spin_momentum: /angular_momentum: /' flying.yaml
expect 2 "$ZENO" run flying.yaml
err_has 'limit: angular momentum is not measured by this scheme, or something acts on the model from outside, so 1e-12 cannot'

# statics: load steps, balance, no options of motion; a motion that starts at rest
cat > static.yaml <<END
zeno: 1
planar: true
gravity: [0, -10]
bodies: {mass: {mass: 2, position: [0, -1]}}
springs: {spring: {from: ground, to: mass, stiffness: 100}}
record: {y: mass.position.y}
run: {static: {load_steps: 4}}
END
expect 0 "$ZENO" run static.yaml
out_has '^static equilibrium'
out_has '4 load steps'
out_has 'sum of loads .*(0, -20, 0) N'
out_has 'sum of supports .*, 20, 0) N'
expect 0 "$ZENO" export static.zeno.h5 --csv -
out_has '^0,-1$'
out_has '^0.25,-1.05'
expect 0 "$ZENO" run static.yaml --json --no-output
out_has '"load_steps": 4'
expect 2 "$ZENO" run static.yaml --step 0.1
err_has 'a static run has no scheme, step or end time'
sed -e 's/^run:.*/run: {step: 0.01, until: 0.1, start: equilibrium}/' static.yaml > rest.yaml
expect 0 "$ZENO" run rest.yaml --no-output
out_has '^equilibrium at the start'
sed -e '/^springs/d' static.yaml > loose.yaml
expect 2 "$ZENO" run loose.yaml --no-output
err_has "not held: 'mass' can move freely"

# bad input
expect 2 "$ZENO" run
err_has 'which model'
expect 2 "$ZENO" run "$MODEL" "$MODEL"
expect 2 "$ZENO" run nothing.yaml
err_has 'nothing.yaml: No such file'
expect 2 "$ZENO" run "$MODEL" --stop 1
err_has "unknown option '--stop'; did you mean '--step'?"
expect 2 "$ZENO" run "$MODEL" --step
err_has "'--step' needs a value"
expect 2 "$ZENO" run "$MODEL" --step fast
err_has "'fast' is neither a time, such as 1e-4 or '0.1 ms', nor a number with 'cfl' behind it"

# times with a unit, as in a model file
for h in '0.1 ms' 0.1ms 100us 1e-4 '1e-4 s'; do
    expect 0 "$ZENO" info "$MODEL" --step "$h" --until '20 ms'
    out_has '200 steps of 0.0001 s'
done
expect 2 "$ZENO" run "$MODEL" --until '20 mm'
err_has "'20 mm' is not a time"

# in critical steps, as in a model file: half of it is twice as many steps
for h in '1 cfl' 0.5cfl; do
    expect 0 "$ZENO" info "$HERE/../../gallery/two-bars/model.yaml" --step "$h"
    out_has "time  *$([ "$h" = 0.5cfl ] && echo 325 || echo 162) steps of"
done
expect 2 "$ZENO" run "$HERE/../../gallery/two-bars/model.yaml" --step '1.5 cfl' --no-output
err_has 'exceeds the critical step'
expect 2 "$ZENO" run "$MODEL" --step '0.9 cf' --no-output
err_has "'0.9 cf' is neither a time"
expect 2 "$ZENO" run "$MODEL" --step '0.9 cfl' --no-output
err_has 'it has no critical'

expect 2 "$ZENO" run "$MODEL" --step -1 -o never.h5
err_has 'not positive'
absent never.h5
absent never.h5.part
expect 2 "$ZENO" run "$MODEL" --quiet=yes
expect 2 "$ZENO" run "$MODEL" --scheme moreau
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jaen
err_has "did you mean 'moreau_jean'?"
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:thta=1
err_has "did you mean 'theta'?"
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:theta
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:theta=one
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:forecast=late
err_has "forecast: 'late' is none of explicit, free"
# every option of the reference can be given; those of other schemes are refused
for option in $("$ZENO" reference | sed -n '/^## run: scheme/,/^### schemes/s/^| `\([a-z_]*\)` .*/\1/p'); do
    expect 2 "$ZENO" run "$MODEL" --scheme "moreau_jean:$option=?" --no-output
    grep -q 'unknown scheme option' err && complain "option '$option' cannot be given"
done
expect 2 "$ZENO" run "$MODEL" --scheme nsga:theta=0.7 --no-output
err_has 'error: nsga: theta does not apply, it belongs to: moreau_jean'
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:rho_inf=0.5 --no-output
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:forecast=free,gamma=1 --no-output
err_has "error: moreau_jean: gamma does not apply with forecast 'free'"
expect 2 "$ZENO" run "$MODEL" --scheme moreau_jean:solver=admn --no-output
err_has "solver: 'admn' is none of auto, gauss_seidel, anderson, .*, admm, "
expect 2 "$ZENO" run "$MODEL" --scheme newmark:fine=ball --no-output
expect 2 "$ZENO" run "$MODEL" --set nothing=1
err_has "no parameter 'nothing'"
expect 2 "$ZENO" run "$MODEL" -o /nonexistent/x.h5
err_has 'error: /nonexistent/x.h5.part: cannot be created: No such file'
expect 2 "$ZENO" run "$MODEL" -o .
err_has 'Is a directory'
expect 2 "$ZENO" run "$MODEL" -o ''
err_has 'a file needs a name'
absent .part
mkfifo pipe
expect 2 "$ZENO" run "$MODEL" -o pipe # devices and pipes are not replaced
err_has 'pipe: cannot write results: not a regular file'
[ -p pipe ] || complain "the pipe is gone"
ln -s elsewhere.h5 link
expect 2 "$ZENO" run "$MODEL" -o link
err_has 'is a symbolic link'

# a position in the file stays at the head of the message
sed 's/mass: 1/mess: 1/' "$MODEL" >typo.yaml
expect 2 "$ZENO" run typo.yaml
err_has '^typo.yaml:8:[0-9]*: .*mess'

# steps: at least one, and the end is told as it is
expect 2 "$ZENO" run "$MODEL" --step 10 --until 1 -o never.h5
err_has 'step 10 s is longer than the run, from 0 s to 1 s'
expect 0 "$ZENO" run "$MODEL" --step 3e-4 --until 1e-3 --no-output
out_has 'to 0.0009 s, the last step before 0.001 s'

# a model that cannot be evaluated as it is given
sed 's/mass: 1,/mass: 1e308,/' "$MODEL" >heavy.yaml
expect 3 "$ZENO" run heavy.yaml --no-output
err_has 'error: the model as it is at t = 0 s, the start: a value is not finite'
expect 3 "$ZENO" check heavy.yaml

# a numerical failure: one Newton iteration is not enough for a nonlinear spring
sed -e 's/mass: 1,/mass: 1, velocity: [3, 0],/' -e 's/^contacts:/springs: {rope: {from: ground, to: ball, stiffness: 1e4, rest_length: 0.5}}\n&/' \
    "$MODEL" >rope.yaml
expect 0 "$ZENO" run rope.yaml --set deepest=1 -q --no-output
expect 3 "$ZENO" run rope.yaml --scheme :newton_tolerance=1e-15,newton_iterations=1 -o failed.h5
err_has "error: step from t = .*Newton's method: residual .* N s at 'ball' after 1 iterations, .*what may help: newton_iterations: 30"
out_has 'an iteration did not converge'
exists failed.h5

# a state that cannot be evaluated is told only if no shorter step helps, and then in the line of the error
cat > crush.yaml <<END
zeno: 1
planar: true
parameters: {speed: 10}
materials: {rubber: {young: 1e4, poisson: 0.3, density: 1000}}
parts:
  block:
    {element: solid, material: rubber, model: neo_hookean, velocity: [0, -speed],
     mesh: {rectangle: {from: [0, 0.01], to: [1, 1.01], elements: [2, 2]}}}
contacts: {floor: {points: block.ymin, surface: {plane: [0, 1]}}}
run: {scheme: nsga, step: 0.1, until: 0.3}
END
expect 0 "$ZENO" run crush.yaml --no-output
out_has 'failed and repeated with half the step'
err_empty
expect 3 "$ZENO" run crush.yaml --set speed=1000 --no-output
err_has "^error: step from t = .* in this state; .*part 'block': element [0-9]* is inverted or crushed"
[ "$(wc -l <"$WORK/err")" -eq 1 ] || complain "more than one line"
expect 0 "$ZENO" sweep crush.yaml --vary speed=10,1000 --measure penetration
out_has "failed: step from t = .*; part 'block': element"

# no room
(ulimit -f 4000 && expect 2 "$ZENO" run "$MODEL" --step 1e-5 -o full.h5 && err_has 'full.h5.part: results cannot be written: File too large' && exit $FAILED) || FAILED=1
absent full.h5
expect 0 "$ZENO" info full.h5.part
out_has 'unfinished'
finish

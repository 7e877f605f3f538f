# zeno modes, and what zeno run says of an equilibrium that is not stable.
. "$HERE/lib.sh"

# Two masses on three springs: 2 sqrt(k/m) sin(i pi/6) = 20 and 34.6410162 rad/s.
cat >chain.yaml <<'END'
zeno: 1
title: two masses
planar: true
gravity: [0, 0]
parameters: {k: 800}
bodies:
  a: {mass: 2, position: [1, 0], fixed: [y]}
  b: {mass: 2, position: [2, 0], fixed: [y]}
springs:
  left: {from: ground, from_at: [0, 0], to: a, stiffness: k}
  middle: {from: a, to: b, stiffness: k}
  right: {from: b, to: ground, to_at: [3, 0], stiffness: k}
record: {x: a.position.x}
run: {scheme: moreau_jean, step: 1e-3, until: 1}
END
expect 0 "$ZENO" modes chain.yaml
out_has '     1        3.18309886 *20  '
out_has '     2        5.51328895 *34.6410162 '
out_has 'results in chain.modes.zeno.h5'
err_empty
exists chain.modes.zeno.h5
expect 0 "$ZENO" modes chain.yaml --count 1 --set k=200 --json --no-output
out_has '"frequency": 1.591549430918'
out_has '"neutral": 0'
grep -c '"square"' out >lines
[ "$(cat lines)" = 1 ] || complain 'one mode was wanted'

# The file can be shown, and its pictures are of one swing each.
expect 0 "$ZENO" info chain.modes.zeno.h5
out_has 'modes of small motion: 2'
expect 0 "$ZENO" export chain.modes.zeno.h5 --csv modes.csv
expect 0 "$ZENO" export chain.modes.zeno.h5 --vtu pictures
exists pictures/scene-000047.vtu
absent pictures/scene-000048.vtu
grep -q '^1,3.18309886' modes.csv || complain 'the CSV lacks the first mode'
expect 0 "$ZENO" view chain.modes.zeno.h5 -o chain.html
exists chain.html

# What stands on its head.
cat >standing.yaml <<'END'
zeno: 1
title: pendulum on its head
planar: true
gravity: [0, -9.81]
parameters: {what: 0}
bodies:
  bob: {mass: 2, inertia: 0.1, position: [0, 0.5]}
joints:
  hinge: {type: revolute, body: bob, at: [0, -0.5]}
record: {y: bob.position.y}
run: {static: {}}
END
expect 0 "$ZENO" run standing.yaml
err_has "warning: equilibrium: unstable at 1 of the loads, 1 negative eigenvalue of the stiffness; 'bob' moves most"
out_has 'stability *UNSTABLE, 1 negative eigenvalue of the stiffness from load factor 1 on'
expect 0 "$ZENO" info standing.zeno.h5
out_has 'stability *UNSTABLE, 1 negative eigenvalue'
expect 0 "$ZENO" run standing.yaml --no-output --json
out_has '"negative": 1'
out_has '"unstable_from": 1'
expect 0 "$ZENO" modes standing.yaml --no-output
out_has 'unstable, grows e-fold in 0.2473'
sed 's/static: {}/static: {unstable: error}/' standing.yaml >error.yaml
expect 3 "$ZENO" run error.yaml --no-output
err_has 'error: equilibrium: unstable'
sed 's/static: {}/static: {unstable: ignore}/' standing.yaml >ignore.yaml
expect 0 "$ZENO" run ignore.yaml --no-output
err_empty
out_has 'stability *not known'

# Loads are those of the start: at t = 2 the spring is pulled to 5 N over 0.1 m, w^2 = T/(l m) across it.
cat >pulled.yaml <<'END'
zeno: 1
title: mass on a spring that is pulled
planar: true
gravity: [0, 0]
bodies:
  a: {mass: 2, position: [0.4, 0]}
springs:
  s: {from: ground, to: a, stiffness: 50, rest_length: 0.4}
loads:
  pull: {body: a, force: ["2.5*t", 0]}
record: {x: a.position.x}
run: {static: {}, start: 2}
END
expect 0 "$ZENO" modes pulled.yaml --no-output
out_has '     1       0.355881272 *2.23606798 ' # sqrt(5 / 0.5 / 2)
out_has '     2       0.795774715 *5  '

# A body that falls has no equilibrium, but modes about its start.
sed '/^joints:/d; /hinge:/d' standing.yaml >falling.yaml
expect 2 "$ZENO" modes falling.yaml --no-output
err_has 'not held'
expect 0 "$ZENO" modes falling.yaml --start --no-output
out_has 'nothing holds *3 motions'

expect 2 "$ZENO" modes
expect 2 "$ZENO" modes chain.yaml chain.yaml
expect 2 "$ZENO" modes chain.yaml --count 0
err_has 'not a number of modes'
expect 2 "$ZENO" modes nothing.yaml
finish

# What friction holds has no mode; left out, the mass swings on its spring with sqrt(50/2) = 5 rad/s.
cat >rough.yaml <<'END'
zeno: 1
planar: true
gravity: [0, -10]
bodies: {a: {mass: 2}}
springs: {s: {from: ground, from_at: [-1, 0], to: a, stiffness: 50}}
contacts: {floor: {point: a, surface: {plane: [0, 1]}, friction: 0.5}}
run: {static: {friction: true}}
END
expect 0 "$ZENO" modes rough.yaml --no-output
out_has 'none: joints, contacts and friction hold'
sed 's/friction: true/friction: false/' rough.yaml >smooth.yaml
expect 0 "$ZENO" modes smooth.yaml --no-output
out_has '     1       0.795774715 *5  '

#!/bin/sh
# Makes the reports that the browsers look at. Environment: ZENO, ROOT, PAGES.
set -eu
rm -rf "$PAGES"
mkdir -p "$PAGES"
cd "$PAGES"

show() { "$ZENO" view "$@" --no-open -q; }
run() { # NAME OPTIONS...: a problem of the gallery and its page
    name=$1
    shift
    "$ZENO" gallery run "$name" -q -o "$name.zeno.h5" "$@"
    show "$name.zeno.h5"
}
run parallelepiped --until 0.45
run flexible-pendulum --until 0.08
run flexible-cube --until 0.27 --set n=3
run rocking-block
"$ZENO" gallery run rocking-block -q --scheme moreau_jean -o moreau.zeno.h5 2>/dev/null || true # it breaks a limit
show rocking-block.zeno.h5 moreau.zeno.h5 -o compare.html
"$ZENO" converge "$ROOT/gallery/bouncing-ball/model.yaml" --steps 0.1:1e-2:4 --of q --json > order.json
show order.json

# two beams with a node in common, one of them held
cat > frame.yaml <<'EOF'
zeno: 1
planar: true
gravity: [0, -9.81]
materials: {steel: {young: 2.1e11, poisson: 0.3, density: 7850}}
parts:
  arm: {element: beam, theory: euler_bernoulli, material: steel, from: [0, 0], to: [1, 0], elements: 4, fix_first: [x, y, rotation], section: {height: 0.02, width: 0.02}}
  leg: {element: beam, theory: euler_bernoulli, material: steel, from: [1, 0], to: [1, -0.5], elements: 2, first_node: "arm[4]", section: {height: 0.02, width: 0.02}}
run: {scheme: newmark, step: 1e-3, until: 0.05}
EOF
"$ZENO" run frame.yaml -q -o frame.zeno.h5
show frame.zeno.h5

# a body from CAD
cp "$ROOT"/docs/cad/block.step* .
cat > part.yaml <<'EOF'
zeno: 1
bodies: {block: {cad: block.step, density: 7800, spin: [0, 0, 3]}}
run: {scheme: moreau_jean, step: 1e-2, until: 0.05}
EOF
"$ZENO" run part.yaml -q -o part.zeno.h5
show part.zeno.h5

# a mass that hammers between two walls every millisecond, on a floor that it never leaves
cat > hammer.yaml <<'EOF'
zeno: 1
planar: true
gravity: [0, -1]
bodies: {mass: {mass: 1, position: [5e-4, 0], velocity: [1, 0]}}
contacts:
  left: {point: mass, surface: {plane: [1, 0]}, restitution: 1}
  right: {point: mass, surface: {plane: [-1, 0], through: [1e-3, 0]}, restitution: 1}
  floor: {point: mass, surface: {plane: [0, 1]}}
record: {x: mass.position.x}
run: {scheme: moreau_jean, step: 2.5e-4, until: 6, record_every: 100}
EOF
"$ZENO" run hammer.yaml -q -o hammer.zeno.h5
show hammer.zeno.h5
show rocking-block.zeno.h5 hammer.zeno.h5 -o unlike.html

# a bar that turns between two walls: its rows turn within a step, impacts with restitution 1 give energy
cat > tumbling.yaml <<'EOF'
zeno: 1
planar: true
bodies: {bar: {mass: 1, inertia: 0.05, velocity: [0.3, 1.1], spin: 2}}
contacts:
  right: {point: bar, at: [0.4, 0], surface: {plane: [0, 1], through: [0, -0.402]}, restitution: 1}
  left: {point: bar, at: [-0.4, 0], surface: {plane: [0, 1], through: [0, -0.402]}, restitution: 1}
  up: {point: bar, at: [0.4, 0], surface: {plane: [0, -1], through: [0, 0.402]}, restitution: 1}
  down: {point: bar, at: [-0.4, 0], surface: {plane: [0, -1], through: [0, 0.402]}, restitution: 1}
run: {scheme: moreau_jean, step: 1e-2, until: 4}
EOF
"$ZENO" run tumbling.yaml -q -o tumbling.zeno.h5 2>/dev/null
show tumbling.zeno.h5

# a disc and a block that hit each other, all momenta kept: pressure on both boundaries
cat > discs.yaml <<'EOF'
zeno: 1
planar: true
materials: {soft: {young: 1000, poisson: 0.2, density: 1}}
parts:
  up: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress, mesh: {disc: {centre: [0.1, 1.01], radius: 1, elements: 4}}, velocity: [0, -2]}
  low: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress, mesh: {rectangle: {from: [-1, -0.8], to: [1, 0], elements: [8, 3]}}, velocity: [0, 2]}
contacts: {pair: {surfaces: [up.outer, low.surface]}}
record: {f: pair.force, p: pair.pressure}
limits: {linear_momentum: 1e-11, angular_momentum: 1e-11, spin_momentum: 1e-11}
run: {scheme: energy_momentum, step: 5e-3, until: 0.2}
EOF
"$ZENO" run discs.yaml -q -o discs.zeno.h5
show discs.zeno.h5

# shapes at rest in space, and in the plane with shapes of the ground, an outline with an arc and a colour alone
"$ZENO" run "$ROOT/tests/export/shapes.yaml" -q -o shapes.zeno.h5
show shapes.zeno.h5
cat > flat.yaml <<'EOF'
zeno: 1
planar: true
gravity: [0, -9.81]
bodies:
  a: {mass: 10, inertia: 1, position: [0, 0.25]}
  b: {mass: 5, inertia: 0.5, position: [0.2, 0.7], draw: {colour: gold}}
  c: {mass: 1, position: [3, 1], draw: {capsule: 0.1, length: 0.5, axis: [0, 1]}}
shapes:
  crate: {body: a, box: [1, 0.5]}
  case: {body: b, box: [0.6, 0.4]}
  knob: {body: b, sphere: 0.1, at: [0, 0.3]}
  floor: {plane: [0, 1]}
  kerb: {box: [0.3, 0.3], at: [-0.9, 0.15], angle: 0.3}
  far: {box: [100, 1], at: [0, -0.5]}
contacts: {all: {between: [crate, case, kerb, knob], against: [crate, case, floor], friction: 0.4}}
run: {scheme: moreau_jean, step: 1e-3, until: 0.05}
EOF
"$ZENO" run flat.yaml -q -o flat.zeno.h5
show flat.zeno.h5

# a run that is killed after its first flush
cat > long.yaml <<'EOF'
zeno: 1
planar: true
bodies: {ball: {mass: 1, position: [0, 1], velocity: [1, 0]}}
record: {x: ball.position.x}
run: {step: 1e-7, until: 10, frames: 100000}
EOF
"$ZENO" run long.yaml -q -o killed.zeno.h5 &
victim=$!
tries=0
until "$ZENO" info killed.zeno.h5.part --json 2>/dev/null | grep -q zeno && [ "$tries" -gt 30 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || break
    sleep 0.1
done
kill -9 "$victim"
wait "$victim" 2>/dev/null || true
show killed.zeno.h5

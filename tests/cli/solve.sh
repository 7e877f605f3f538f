# zeno solve, and the problems that zeno run dumps for it.
. "$HERE/lib.sh"

# A box of mass 2 on its two lower corners, pushed along the floor: mu 0.3, or stuck with mu 0.9.
box() {
    cat >"$1" <<EOF
zeno: 1
title: Pushed box
planar: true
gravity: [0, -10]
bodies:
  box: {mass: 2, inertia: 0.1, position: [0, 0.25]}
loads:
  push: {body: box, force: [12, 0]}
contacts:
  left:  {point: box, at: [-0.5, -0.25], surface: {plane: [0, 1]}, restitution: 0, friction: $2}
  right: {point: box, at: [0.5, -0.25], surface: {plane: [0, 1]}, restitution: 0, friction: $2}
run: {scheme: {moreau_jean: {theta: 1}}, step: 0.01, until: 0.1}
EOF
}
box slide.yaml 0.3
box stick.yaml 0.9

# --- dumping -------------------------------------------------------------------------------------
expect 0 "$ZENO" run slide.yaml --no-output -q --dump-problems problems --dump-every 5
exists problems/slide-000005-velocity.hdf5
exists problems/slide-000010-velocity.hdf5
absent problems/slide-000004-velocity.hdf5
expect 0 "$ZENO" run stick.yaml --no-output -q --dump-problems problems --dump-every 5
expect 2 "$ZENO" run slide.yaml --no-output --dump-problems slide.yaml
err_has 'slide.yaml: Not a directory'
expect 2 "$ZENO" run slide.yaml --no-output --dump-problems problems --dump-every 0.5
err_has 'dump-every'

# A pile's problem is sparse: 25 balls side by side on the floor, each with its own three rows, which couple nothing else.
cat >balls.yaml <<EOF
zeno: 1
title: Balls on the floor
gravity: [0, 0, -10]
bodies:
  ball: {mass: 1, inertia: 0.004, position: [0, 0, 0.1], sphere: 0.1, lattice: {count: [5, 5, 1], spacing: [0.3, 0.3, 1]}}
shapes: {floor: {plane: [0, 0, 1]}}
contacts:
  pile: {between: [ball], friction: 0.3}
  base: {between: [ball], against: [floor], friction: 0.3}
run: {scheme: {moreau_jean: {theta: 1, gamma: 0.5, frozen_rows: true}}, step: 0.01, until: 0.02}
EOF
expect 0 "$ZENO" run balls.yaml --no-output -q --dump-problems problems
expect 0 "$ZENO" solve problems/balls-000002-velocity.hdf5
out_has 'converged: reduced form, 3D, 25 contacts, 0 bilateral rows, W 75 x 75 (1.33 % filled), mu 0.3;'
out_has '25 stick, 0 slip, 0 open'

# --- solving -------------------------------------------------------------------------------------
P=problems/slide-000005-velocity.hdf5
expect 0 "$ZENO" solve "$P"
out_has 'slide-000005-velocity.hdf5: converged: reduced form, 2D, 2 contacts, 0 bilateral rows, W 4 x 4 (.*), mu 0.3;'
out_has '0 stick, 2 slip, 0 open'
err_empty
expect 0 "$ZENO" solve "$P" problems/stick-000005-velocity.hdf5
out_has '2 stick, 0 slip, 0 open'
[ "$(wc -l <out)" = 2 ] || complain 'not one line for each problem'
for solver in gauss_seidel anderson newton_alart_curnier newton_jean_moreau admm interior_point lemke enumerate; do
    expect 0 "$ZENO" solve "$P" --solver $solver --tolerance 1e-10
    out_has ': converged: '
done
expect 0 "$ZENO" solve "$P" --measure fclib --tolerance 1e-10
out_has ': converged: '
expect 0 "$ZENO" solve "$P" --all-solvers
out_has '  auto  *converged'
out_has 'converged .*  fastest$'
[ "$(grep -c fastest out)" = 1 ] || complain 'not one solver is the fastest'
# the help tells of all solvers of the table
"$ZENO" help solve > help
for solver in $(sed -n 's/^  \([a-z_]*\)  *[a-z ]*converged .*/\1/p' out); do
    grep -qw "$solver" help || complain "the help lacks $solver"
done
[ "$(grep -c '^  [a-z_]*  *.*converged ' out)" = 9 ] || complain 'not nine solvers'
expect 3 "$ZENO" solve "$P" --solver gauss_seidel --max-iterations 1 --tolerance 1e-15
out_has ': not converged: '
err_empty

# The weight is carried and friction is at its limit, 2 kg 10 m/s^2 0.01 s; theta = 1.
expect 0 "$ZENO" solve "$P" --json --write=solved.hdf5
out_has '"written": "solved.hdf5"'
out_has '"status": "converged"'
python3 -c 'import json; d = json.load(open("out")); assert d[0]["solvers"][0]["slip"] == 2' || complain 'JSON is wrong'
exists solved.hdf5
absent solved.hdf5.part
cmp -s "$P" solved.hdf5 && complain 'the copy has no solution'
expect 0 "$ZENO" solve solved.hdf5 --write
out_has "solution by auto written into its group 'solution'"
expect 0 "$ZENO" solve solved.hdf5 --write
expect 3 "$ZENO" solve "$P" --solver gauss_seidel --max-iterations 1 --tolerance 1e-15 --write=none.hdf5
out_has 'no solution, nothing was written'
absent none.hdf5

# --- problems with a property of their own -------------------------------------------------------
expect 0 "$MAKE_PROBLEMS" .
expect 0 "$ZENO" solve plain.hdf5 scaled.hdf5 --tolerance 1e-10
expect 0 "$ZENO" solve rod.hdf5
out_has 'rod.hdf5: converged: global form, 2D, 1 contact, 1 bilateral row, W 3 x 3'
expect 0 "$ZENO" solve rod.hdf5 --write=rod2.hdf5
expect 0 "$ZENO" solve rod2.hdf5
expect 3 "$ZENO" solve infeasible.hdf5
out_has 'infeasible.hdf5: not converged'
expect 2 "$ZENO" solve "$P" --time-limit -1
err_has 'time-limit'
expect 2 "$ZENO" solve "$P" --effort -1
err_has 'effort'
expect 0 "$ZENO" solve "$P" --effort 1000 --time-limit 60
expect 2 "$ZENO" solve asymmetric.hdf5
err_has 'asymmetric.hdf5: .*symmetric'
expect 0 "$ZENO" solve asymmetric.hdf5 --force
expect 2 "$ZENO" solve indefinite.hdf5
err_has 'indefinite.hdf5: .*semidefinite'

# --- a run that fails ----------------------------------------------------------------------------
# Between floor and roof: the floor wants at least 0.9 of the speed back, the roof allows 0.1. No impulses do that.
cat >trap.yaml <<EOF
zeno: 1
title: Trapped ball
planar: true
bodies:
  ball: {mass: 1, inertia: 1, position: [0, 0], velocity: [0, -1]}
contacts:
  floor: {point: ball, at: [0, 0], surface: {plane: [0, 1]}, restitution: 0.9, friction: 0.5}
  roof: {point: ball, at: [0, 0], surface: {plane: [0, -1]}, restitution: 0.1, friction: 0.5}
run: {scheme: {moreau_jean: {theta: 1}}, step: 0.01, until: 0.1}
EOF
expect 3 "$ZENO" run trap.yaml -q
err_has 'the problem that was not solved is in trap.failed.hdf5'
exists trap.failed.hdf5
absent trap.failed.hdf5.part
expect 3 "$ZENO" solve trap.failed.hdf5 --measure fclib
expect 3 "$ZENO" solve trap.failed.hdf5
expect 3 "$ZENO" run trap.yaml -q --no-output --dump-problems failed
err_has 'the problem that was not solved is in failed/trap-000001-velocity-failed.hdf5'
exists failed/trap-000001-velocity-failed.hdf5
rm trap.failed.hdf5
expect 3 "$ZENO" run trap.yaml -q --no-output
absent trap.failed.hdf5

# --- faults --------------------------------------------------------------------------------------
expect 2 "$ZENO" solve
expect 2 "$ZENO" solve "$P" --solver newtn
err_has "unknown solver 'newtn'"
expect 2 "$ZENO" solve "$P" --measure mine
expect 2 "$ZENO" solve "$P" --tolerance 0
expect 2 "$ZENO" solve "$P" --max-iterations -1
expect 2 "$ZENO" solve "$P" "$P" --write=both.hdf5
mkfifo pipe
expect 2 "$ZENO" solve "$P" --write=pipe
err_has "pipe: cannot be replaced: not a regular file"
expect 2 "$ZENO" solve "$P" --write=nowhere/a.hdf5
err_has 'nowhere/a.hdf5'
expect 2 "$ZENO" solve nothing.hdf5
err_has 'nothing.hdf5: No such file'
expect 2 "$ZENO" solve "$HERE/ball.yaml"
err_has 'ball.yaml: not an HDF5 file'
head -c 3000 "$P" >cut.hdf5
expect 2 "$ZENO" solve cut.hdf5 "$P"
err_has 'cut.hdf5'
[ "$(wc -l <err)" = 1 ] || complain 'not one message'
out_has 'slide-000005-velocity.hdf5: converged'
finish

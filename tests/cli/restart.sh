# A run that was killed, interrupted, or is to be longer goes on from the checkpoint in its result file, with the numbers of
# the run that never ended. Other models, other options and damaged files are refused.
. "$HERE/lib.sh"
MODEL=$HERE/ball.yaml

# same A B: rows, events and certificates of two results, all but what they cost
same() {
    for file in "$1" "$2"; do
        "$ZENO" export "$file" --csv="$file.csv" || complain "no rows in $file"
        "$ZENO" info "$file" --json | grep -v '"result"\|seconds\|"solves"\|factorizations"\|steps_per_second' >"$file.json"
        "$ZENO" info "$file" --events | sed -n '/approach/,$p' >"$file.events"
    done
    for part in csv json events; do
        cmp "$1.$part" "$2.$part" >"$WORK/out" 2>&1 || complain "$1.$part differs from $2.$part"
    done
    [ -s "$1.csv" ] && [ -s "$1.json" ] && [ -s "$1.events" ] || complain "nothing to compare in $1"
}

# --- a longer run, in the same file and in another -------------------------------------------------
expect 0 "$ZENO" run "$MODEL" -q --until 2 -o whole.h5
expect 0 "$ZENO" run "$MODEL" -q --until 1.34 -o short.h5 # it ends in a lasting contact
expect 0 "$ZENO" info short.h5
out_has 'checkpoint at t = 1.3 s'
expect 0 "$ZENO" run "$MODEL" -q --until 2 --restart short.h5 -o longer.h5
err_empty
same whole.h5 longer.h5
expect 0 "$ZENO" run "$MODEL" -q --until 2 --restart short.h5 -o short.h5
same whole.h5 short.h5
absent short.h5.part
absent short.h5.part.new
expect 0 "$ZENO" run "$MODEL" -q --until 2 --restart short.h5 --no-output # from the end
expect 2 "$ZENO" run "$MODEL" -q --until 1 --restart short.h5 --no-output
err_has 'the checkpoint at t = 2 s is after the end of the run, 1 s'

# --- killed --------------------------------------------------------------------------------------
sed 's/run: {/run: {record_every: 1000, /' "$MODEL" >long.yaml
"$ZENO" run long.yaml -q --step 1e-5 --until 1000 -o long.h5 </dev/null &
pid=$!
for i in $(seq 100); do
    sleep 0.1
    "$ZENO" info long.h5.part 2>/dev/null | grep -q 'checkpoint at' && break
done
expect 2 "$ZENO" run long.yaml -q --step 1e-5 --until 1000 --restart long.h5.part -o other.h5
err_has 'long.h5.part: another run is writing this file'
kill -KILL $pid
wait $pid 2>/dev/null
cp long.h5.part kept.h5
at=$("$ZENO" info long.h5.part | sed -n 's/.*checkpoint at t = \([^ ]*\) s.*/\1/p')
until=$(awk "BEGIN {print $at + 0.05}")
expect 0 "$ZENO" run long.yaml -q --step 1e-5 --until "$until" --restart long.h5.part -o long.h5
absent long.h5.part
expect 0 "$ZENO" run long.yaml -q --step 1e-5 --until "$until" -o never.h5
same never.h5 long.h5

# --- interrupted ---------------------------------------------------------------------------------
"$ZENO" run long.yaml --step 1e-5 --until 1000 -o long.h5 --restart kept.h5 >"$WORK/out" 2>"$WORK/err" </dev/null &
pid=$!
for i in $(seq 100); do
    sleep 0.1
    [ -e long.h5.part ] && break
done
kill -TERM $pid
wait $pid
[ $? -eq 3 ] || complain 'an interrupted run does not end with 3'
err_has 'interrupted at t = .* s; to go on: --restart long.h5'
expect 0 "$ZENO" run long.yaml -q --step 1e-5 --until "$until" --restart kept.h5 -o again.h5
same never.h5 again.h5

# --- a full disk leaves the old file ---------------------------------------------------------------
expect 0 "$ZENO" run "$MODEL" -q --until 0.5 -o old.h5
cp old.h5 old.copy
(ulimit -f 100 && "$ZENO" run "$MODEL" -q --until 2 --restart old.h5 -o old.h5) >"$WORK/out" 2>"$WORK/err" </dev/null
[ $? -eq 2 ] || complain 'a run without space does not end with 2'
err_has 'File too large'
cmp -s old.h5 old.copy || complain 'the old file has changed'

# --- what may change -------------------------------------------------------------------------------
sed 's/title: .*/title: Another/; s/record: {/record: {x: ball.position.x, /; s/limits: .*/limits: {penetration: 1}/
    s/until: 1/until: 1, frames: 3, max_subdivisions: 9/' "$MODEL" >other.yaml
expect 0 "$ZENO" run other.yaml -q --restart old.h5 -o other.h5
err_has 'rows begin after the checkpoint at t = 0.5 s, other ones were recorded before'
expect 0 "$ZENO" export other.h5 --csv=other.csv
[ "$(sed -n 2p other.csv | cut -d, -f1)" = 0.501 ] || complain 'the first row is not that after the checkpoint'
expect 0 "$ZENO" info other.h5
out_has 'floor  *impact  *0.452' # events of the whole run

# --- what may not ----------------------------------------------------------------------------------
refuse() { # refuse WORDS ARGUMENTS...
    words=$1
    shift
    expect 2 "$ZENO" run "$@" -q --restart old.h5 -o new.h5
    err_has "old.h5: cannot restart from it: $words"
    err_has 'old.h5 was written by: zeno run .* -o old.h5'
    absent new.h5
    absent new.h5.part
    absent new.h5.part.new
}
refuse "parameter e is '0.5' there and '0.40000000000000002' here" "$MODEL" --set e=0.4
refuse 'parameter bodies.ball.mass is only here' "$MODEL" --set bodies.ball.mass=2
refuse "step is '0.001' there and '0.002" "$MODEL" --step 2e-3
refuse "theta is '0.5' there and '1' here" "$MODEL" --scheme :theta=1
refuse "scheme is 'moreau_jean' there and 'nsga' here" "$MODEL" --scheme nsga
refuse "checkpoint_every is '100' there and '50' here" "$MODEL" --checkpoint-every 50
sed 's/mass: 1,/mass: 2,/' "$MODEL" >other.yaml
refuse "bodies.ball.mass is '1' there and '2' here" other.yaml
sed 's/^contacts:/springs:\n  s: {from: ground, to: ball, stiffness: 1}\ncontacts:/' "$MODEL" >other.yaml
refuse 'springs is only here' other.yaml
sed 's/mass: 1, position: \[0, 1\]/mass: 1, position: [0, 1], velocity: [0, 0]/' "$MODEL" >other.yaml
refuse 'bodies.ball.velocity is only here' other.yaml

# what the model pulls in: a table of a load and a mesh; what is only compared with is not part of the motion
printf '0,0\n1,1\n2,3\n' >push.csv
cp push.csv truth.csv
cat >cart.yaml <<END
zeno: 1
planar: true
bodies: {cart: {mass: 1, position: [0, 0]}}
loads: {push: {body: cart, force: [{csv: push.csv}, 0]}}
record: {x: cart.position.x}
reference: {x: {csv: truth.csv}}
run: {scheme: moreau_jean, step: 1e-2, until: 1, checkpoint_every: 10}
END
expect 0 "$ZENO" run cart.yaml -q -o cart.h5
expect 0 "$ZENO" run cart.yaml -q --until 2 --restart cart.h5 -o cart2.h5
printf '0,0\n1,1\n2,4\n' >truth.csv
expect 0 "$ZENO" run cart.yaml -q --until 2 --restart cart.h5 -o cart2.h5
printf '0,0\n1,1\n2,2999\n' >push.csv
expect 2 "$ZENO" run cart.yaml -q --until 2 --restart cart.h5 -o cart3.h5
err_has "cart.h5: cannot restart from it: something else is now in the file 'push.csv'"
absent cart3.h5
expect 0 "$ZENO" view cart.h5 --no-open -o cart.html
err_has "cart.h5: something else is now in the file 'push.csv'"
mkdir elsewhere # names are those of the model, wherever it is
printf '0,0\n1,1\n2,3\n' >elsewhere/push.csv
cp cart.yaml truth.csv elsewhere
expect 0 "$ZENO" run elsewhere/cart.yaml -q --until 2 --restart cart.h5 -o cart2.h5

expect 2 "$ZENO" run "$MODEL" -q --restart nothing.h5
err_has 'nothing.h5: No such file'
expect 2 "$ZENO" run "$MODEL" -q --restart "$MODEL"
err_has 'not a result file'
expect 2 "$ZENO" run "$MODEL" --checkpoint-every 1.5
err_has '--checkpoint-every: 1.5 is not a number of steps'
expect 0 "$ZENO" run "$MODEL" -q --until 0.05 -o new.h5
expect 2 "$ZENO" run "$MODEL" -q --restart new.h5
err_has 'new.h5: it has no checkpoint that is whole; the first comes after 100 steps'
expect 0 "$ZENO" run "$MODEL" -q --checkpoint-every 0 -o new.h5
expect 2 "$ZENO" run "$MODEL" -q --restart new.h5 --checkpoint-every 0
err_has 'new.h5: it has no checkpoint, checkpoint_every is 0'

# --- damaged ---------------------------------------------------------------------------------------
size=$(wc -c <old.h5)
for i in 1 2 3 4; do
    head -c $((size * i / 5)) old.copy >cut.h5
    expect 2 "$ZENO" run "$MODEL" -q --restart cut.h5 --no-output
    err_has 'cut.h5: '
done
# a restarted run has two checkpoints: one that is spoilt leaves the other
mark=zenockp1
places() { grep -obUa $mark "$1" | cut -d: -f1; }
spoil() { printf 'spoilt!!' | dd of=hurt.h5 bs=1 seek="$1" conv=notrunc 2>/dev/null; }
[ "$(places longer.h5 | wc -l)" -eq 2 ] || complain 'there are not two checkpoints in the file'
for place in $(places longer.h5); do
    cp longer.h5 hurt.h5
    spoil $((place + 200))
    expect 0 "$ZENO" run "$MODEL" -q --until 2 --restart hurt.h5 -o new.h5
    same whole.h5 new.h5
    for each in $(places longer.h5); do
        spoil $((each + 72))
    done
    expect 2 "$ZENO" run "$MODEL" -q --until 2 --restart hurt.h5 -o new.h5
    err_has 'hurt.h5: it has no checkpoint that is whole'
done
# whatever is spoilt, the program ends in good order (HDF5 loses some memory then)
for i in $(seq 15); do
    cp longer.h5 hurt.h5
    spoil $((size * i / 16 + 8 * i))
    ASAN_OPTIONS=detect_leaks=0 "$ZENO" run "$MODEL" -q --until 2 --restart hurt.h5 -o new.h5 >"$WORK/out" 2>"$WORK/err"
    status=$?
    [ $status -eq 0 ] || [ $status -eq 2 ] || complain "spoilt in place $i: it ends with $status"
done

# --- values set by their path ------------------------------------------------------------------------
expect 0 "$ZENO" run "$MODEL" -q --set bodies.ball.mass=2 --until 0.5 -o set.h5
expect 2 "$ZENO" run "$MODEL" -q --restart set.h5 --no-output
err_has 'parameter bodies.ball.mass is only there'
expect 0 "$ZENO" run "$MODEL" -q --set bodies.ball.mass=2 --restart set.h5 --no-output
# a model of several files: the result carries them, and the model file is not needed
cat >part.yaml <<'END'
zeno: 1
parameters: {m: 1}
bodies: {b: {repeat: {i: 0..2}, mass: m, position: [0.2*i, 1]}}
springs: {s: {repeat: {i: 0..1}, from: 'b[i]', to: 'b[i+1]', stiffness: 20}}
END
cat >several.yaml <<'END'
{zeno: 1, planar: true, gravity: [0, -9.81], parameters: {m: 1}, record: {p: 'g::b[2].position'}, contacts: {c: {point: 'g::b[0]', surface: {plane: [0, 1], at: [0, 0.93]}}},
 groups: {g: {include: part.yaml, angle: 20 deg, parameters: {m: m}}}, run: {step: 1e-3, until: 0.1, checkpoint_every: 10}}
END
expect 0 "$ZENO" run several.yaml -q --set m=2 -o whole.h5
expect 0 "$ZENO" run several.yaml -q --set m=2 --until 0.05 -o first.h5
expect 0 "$ZENO" run several.yaml -q --set m=2 --restart first.h5 -o new.h5
same whole.h5 new.h5
sed -i 's/stiffness: 20/stiffness: 21/' part.yaml
expect 2 "$ZENO" run several.yaml -q --set m=2 --restart first.h5 -o new.h5
err_has "something else is now in the file 'part.yaml'"
rm part.yaml several.yaml new.h5
expect 0 "$ZENO" run -q --restart first.h5 --until 0.1 -o new.h5
same whole.h5 new.h5
expect 2 "$ZENO" run -q
err_has 'which model?'
finish

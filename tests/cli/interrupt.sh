# Ctrl-C ends the run after its step and completes the file; kill -9 leaves a readable one.
. "$HERE/lib.sh"
MODEL=$WORK/long.yaml
sed 's/run: {/run: {record_every: 1000, /' "$HERE/ball.yaml" >"$MODEL"

start() {
    "$ZENO" run "$MODEL" --step 1e-9 -o long.h5 >"$WORK/out" 2>"$WORK/err" </dev/null &
    pid=$!
    # the first rows are in the file after a second
    for i in $(seq 60); do
        sleep 0.2
        "$ZENO" info long.h5.part 2>/dev/null | grep -q ' [1-9][0-9]* rows' && break
    done
}

start
kill -TERM $pid # background jobs of a shell ignore INT; both are caught alike
wait $pid
[ $? -eq 3 ] || complain "an interrupted run does not end with 3"
err_has 'error: interrupted at t = '
out_has 'interrupted'
absent long.h5.part
expect 0 "$ZENO" info long.h5
out_has 'interrupted'

# within a load step, too
sed 's/n: 3/n: 10/; s/load_steps: 2/load_steps: 1/' "$HERE/../cases/cube-on-an-incline.yaml" >"$WORK/cube.yaml"
"$ZENO" run "$WORK/cube.yaml" --set mu=0.305 --no-output >"$WORK/out" 2>"$WORK/err" </dev/null &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
[ $? -eq 3 ] || complain "an interrupted static run does not end with 3"
err_has 'error: interrupted beyond 0 of the loads'

start
kill -KILL $pid
wait $pid 2>/dev/null
exists long.h5.part
expect 0 "$ZENO" info long.h5.part
out_has 'unfinished'
out_has ' rows up to t = '
expect 0 "$ZENO" export long.h5.part --csv=part.csv
exists part.csv

# something else cuts the file short: the run ends, and says so
start
truncate -s 20000 long.h5.part
for i in $(seq 50); do
    kill -0 $pid 2>/dev/null || break
    sleep 0.2
done
kill -KILL $pid 2>/dev/null && complain 'the run goes on with half a file'
wait $pid
[ $? -eq 2 ] || complain "a run whose file was cut short does not end with 2"
err_has 'long.h5.part: results cannot be written: something else has cut this file short'
grep -q 'can be read' "$WORK/err" && complain 'half a file is said to be good'
expect 2 timeout -s KILL 60 "$ZENO" info long.h5.part
err_has 'long.h5.part: .*damaged'

# or removes it, or puts another in its place
rm -f long.h5
for how in 'rm long.h5.part' 'cp part.csv other && mv -f other long.h5.part'; do
    start
    eval "$how"
    for i in $(seq 50); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.2
    done
    kill -KILL $pid 2>/dev/null && complain "the run goes on after $how"
    wait $pid
    [ $? -eq 2 ] || complain "a run does not end with 2 after $how"
    err_has 'long.h5.part: results cannot be written: something else has removed or replaced this file'
    grep -q 'can be read\|to go on' "$WORK/err" && complain 'what is gone is said to be good'
    absent long.h5
    rm -f long.h5.part
done

# two runs into one file: the second is refused and the first does not notice
start
expect 2 "$ZENO" run "$HERE/ball.yaml" -q -o long.h5
err_has 'another run is writing this file'
cp "$WORK/err" first.err
kill -HUP $pid # the terminal is closed: as Ctrl-C
wait $pid
[ $? -eq 3 ] || complain 'a run whose terminal is closed does not end with 3'
expect 0 "$ZENO" info long.h5
out_has 'interrupted'
rm -f long.h5

# nobody reads what is printed: the result is there
"$ZENO" run "$HERE/ball.yaml" -o pipe.h5 2>"$WORK/err" | true
expect 0 "$ZENO" info pipe.h5
expect 2 "$ZENO" run "$HERE/ball.yaml" -q -o /sys/ball.h5
err_has '/sys/ball.h5.part: cannot be created'
expect 2 "$ZENO" export pipe.h5 --csv=/sys/ball.csv
err_has '/sys/ball.csv'

# out of time: as Ctrl-C
expect 3 "$ZENO" run long.yaml -q --step 1e-9 -o limited.h5 --time-limit 1
err_has 'the time limit is over at t = .*; to go on: --restart limited.h5'
exists limited.h5
expect 2 "$ZENO" run long.yaml -q --no-output --time-limit 0
err_has 'time-limit 0: a number of seconds above 0'

# ... and what does not end within a step, or before the first one, is ended with a word
printf 'zeno: 1\nbodies: {g: {sphere: 0.02, density: 1000, lattice: {count: [1000, 900, 1], spacing: [0.1, 0.1, 0.1]}}}\n%s\n' \
    'run: {step: 1e-3, until: 1}' >slow.yaml
expect 3 "$ZENO" run slow.yaml -q --no-output --time-limit 0.05
err_has '^error: the time limit is over twice, within one step or before the first one$'

# no more memory than is given
printf 'zeno: 1\nbodies: {g: {sphere: 0.02, density: 1000, lattice: {count: [1000, 1000, 1], spacing: [0.1, 0.1, 0.1]}}}\n%s\n' \
    'run: {step: 1e-3, until: 1}' >grains.yaml
if ! nm -D "$ZENO" 2>/dev/null | grep -q __asan; then # sanitizers take more addresses than there are
    expect 2 "$ZENO" check grains.yaml --memory-limit 2
    err_has 'the model would take about 6.4 GB, and there are 2 GB'
fi
# no larger file than is given: told before the first step, or when the frames make it so
expect 2 "$ZENO" run long.yaml -q --step 1e-9 -o large.h5 --output-limit 0.01
err_has 'large.h5.part: .* rows of .* columns take .* GB, and the file may have 0.01 GB'
[ -e large.h5.part ] && complain 'a refused run leaves a file'
expect 2 "$ZENO" run long.yaml -q --until 1 -o large.h5 --output-limit 0.00002
err_has 'large.h5.part: .*File too large'
expect 2 "$ZENO" run long.yaml -q --no-output --output-limit -1
err_has 'output-limit -1: a number of GB above 0'

# few files are open at a time
if ! nm -D "$ZENO" 2>/dev/null | grep -q __asan; then
    expect 0 prlimit --nofile=8 "$ZENO" run long.yaml -q --until 0.2 -o few.h5
    expect 0 prlimit --nofile=8 "$ZENO" view few.h5 --no-open -o few.html
    expect 0 prlimit --nofile=8 "$ZENO" run -q --restart few.h5 -o again.h5
fi
expect 2 "$ZENO" run long.yaml -q --no-output --memory-limit 0
err_has 'memory-limit 0: a number of GB above 0'
finish

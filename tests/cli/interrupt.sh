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

start
kill -KILL $pid
wait $pid 2>/dev/null
exists long.h5.part
expect 0 "$ZENO" info long.h5.part
out_has 'unfinished'
out_has ' rows up to t = '
expect 0 "$ZENO" export long.h5.part --csv=part.csv
exists part.csv
finish

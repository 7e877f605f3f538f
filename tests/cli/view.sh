#!/bin/sh
# zeno view: pages, names, faults. What the pages show is tested in a browser (tests/report).
. "$HERE/lib.sh"
expect 0 "$ZENO" run "$HERE/ball.yaml" -q -o ball.zeno.h5
expect 0 "$ZENO" view ball.zeno.h5 --no-open
out_has 'report in ball.html'
exists ball.html
expect 0 grep -q 'data-zeno="run0"' ball.html
expect 0 grep -q 'data-zeno="run0.scene"' ball.html
expect 1 grep -q 'zeno-data' ball.html

# two runs and a study on one page
expect 0 "$ZENO" view ball.zeno.h5 ball.zeno.h5 -o two.html --no-open -q
out_empty
expect 0 grep -q 'data-zeno="run1"' two.html
echo '{"title": "a </script> b", "studies": []}' > study.json
expect 0 "$ZENO" view study.json --no-open -q
expect 0 grep -q 'a \\u003c/script> b' study.html

# run and view in one go
expect 0 "$ZENO" run "$HERE/ball.yaml" -q --view -o again.zeno.h5
exists again.html

# no frames: a page without a scene that moves
sed 's/^run: *{/run: {frames: 0, /' "$HERE/ball.yaml" > still.yaml
expect 0 "$ZENO" run still.yaml -q -o still.zeno.h5
expect 0 "$ZENO" view still.zeno.h5 --no-open

# a file that the model refers to is gone: a report without a scene
cat > mesh.yaml <<'EOF'
zeno: 1
planar: true
bodies: {ball: {mass: 1, position: [0, 1]}}
loads: {push: {body: ball, force: [{csv: push.csv, column: 2}, 0]}}
record: {x: ball.position.x}
run: {step: 1e-2, until: 0.1}
EOF
printf '0,0\n1,1\n' > push.csv
expect 0 "$ZENO" run mesh.yaml -q -o mesh.zeno.h5
rm push.csv
expect 0 "$ZENO" view mesh.zeno.h5 --no-open
err_has 'shows no scene'
exists mesh.html

# faults
expect 2 "$ZENO" view
err_has 'which result'
expect 2 "$ZENO" view missing.zeno.h5 --no-open
err_has 'missing.zeno.h5'
echo '{}' > wrong.json
expect 2 "$ZENO" view wrong.json --no-open
err_has 'neither a result nor a study'
expect 2 "$ZENO" view ball.zeno.h5 -o /nowhere/at/all.html --no-open
err_has '/nowhere/at/all.html'
expect 2 "$ZENO" view ball.zeno.h5 -o /dev/full --no-open
err_has '/dev/full'
expect 2 "$ZENO" view ball.zeno.h5 --no-opne
err_has "did you mean '--no-open'"
finish

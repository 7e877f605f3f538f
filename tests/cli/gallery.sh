# zeno gallery: list, run, verify.
. "$HERE/lib.sh"
export ZENO_GALLERY="$HERE/gallery"

expect 0 "$ZENO" gallery
out_has '  ball  *Bouncing ball'
out_has '2 problems'
expect 2 "$ZENO" gallery ball
err_has 'zeno gallery run ball'
expect 0 "$ZENO" gallery run ball --step 2e-3
out_has '500 steps'
exists ball.zeno.h5
expect 2 "$ZENO" gallery run bal
err_has "did you mean 'ball'?"
expect 2 "$ZENO" gallery run
expect 2 "$ZENO" gallery --slow

expect 0 "$ZENO" gallery --verify ball
out_has 'fall  *0.2152  *0.2152  *1e-9  *ok  *h - g t^2/2, exact for theta = 1/2'
out_has 'bounce  *2.2.*1%  *ok'
out_has '20 of 20 reference values hold; left out as slow: 1'
expect 0 "$ZENO" gallery --verify --slow ball
out_has 'slow-fine  .* ok'
out_has '21 of 21 reference values hold'
expect 1 "$ZENO" gallery --verify wrong
out_has 'good .* ok'
out_has 'off .* FAILED'
out_has 'above .* FAILED'
out_has "unknown measure 'finale'; did you mean 'final'?"
out_has "there is no record 'depth'"
out_has 'the run failed'
out_has '1 of 6 reference values hold'
expect 1 "$ZENO" gallery --verify
expect 2 "$ZENO" gallery --verify nothing

# bad files
mkdir -p g/a && cp "$HERE/ball.yaml" g/a/model.yaml
export ZENO_GALLERY="$WORK/g"
expect 0 "$ZENO" gallery --verify
out_has 'no reference values'
printf 'a,,final(height),1\n' >g/a/reference.csv
expect 2 "$ZENO" gallery --verify
err_has 'g/a/reference.csv:1:1: six fields'
printf '# x\n\na,,final(height),one,1,s\n' >g/a/reference.csv
expect 2 "$ZENO" gallery --verify
err_has "reference.csv:3:1: expected: not a number: 'one'"
printf 'a,,"final(height),1,1,s\n' >g/a/reference.csv
expect 2 "$ZENO" gallery --verify
err_has 'a quote is not closed'
printf 'a,,final(height),1,,s\n' >g/a/reference.csv
expect 2 "$ZENO" gallery --verify
err_has 'tolerance is missing'
printf 'a,--stp 1,final(height),1,1,s\r\nb,,max(height),1,"0",the "", start\r\n' >g/a/reference.csv
expect 2 "$ZENO" gallery --verify
printf 'a,--stp 1,final(height),1,1,s\r\nb,,max(height),1,"0","the ""start"""\r\n' >g/a/reference.csv
expect 1 "$ZENO" gallery --verify
err_has "unknown option '--stp'"
out_has 'b .* ok  *the "start"'
# a variant of the model: its name comes first, and only a file of the folder is one
sed 's/position: \[0, 1\]/position: [0, 2]/' "$HERE/ball.yaml" >g/a/model-other.yaml
printf 'a,,max(height),1,0,s\nb,model-other.yaml,max(height),2,0,s\nc,model-other.yaml --until 0.4,final(height),1.2152,1e-9,s\n' \
    >g/a/reference.csv
expect 0 "$ZENO" gallery --verify
out_has '3 of 3 reference values hold'
for bad in ../a/model-other.yaml 'model.yaml model-other.yaml' model-other missing.yaml; do
    printf 'a,%s,max(height),1,1,s\n' "$bad" >g/a/reference.csv
    expect 1 "$ZENO" gallery --verify
    out_has 'the run failed'
done
export ZENO_GALLERY=/nonexistent
expect 2 "$ZENO" gallery
err_has 'not a folder'
finish

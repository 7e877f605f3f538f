# zeno converge: orders, rows that fail, references, files, bad arguments.
. "$HERE/lib.sh"
GALLERY=$HERE/../../gallery
BALL=$GALLERY/bouncing-ball/model.yaml

# within LEAST MOST: the first order of norm l1 on standard output lies between them
within() {
    awk -v least="$1" -v most="$2" '$1 == "l1" && $2 == "order" { good = $3 >= least && $3 <= most; exit }
        END { exit !good }' "$WORK/out" || complain "the order of l1 is not within $1 and $2"
}

# the ball against its closed form: positions and velocities of first order in l1
expect 0 "$ZENO" converge "$BALL" --steps 0.1:1e-3 --of q --norms l1
err_empty
out_has 'closed form'
out_has '^ *l1 *order [0-9.]* +- [0-9.]*$'
within 0.8 1.2
expect 0 "$ZENO" converge "$BALL" --steps 0.1:1e-3 --of q --norms l1,uniform --schemes moreau_jean --set y0=1.7 --set e=0.7
within 0.8 1.2
expect 0 "$ZENO" converge "$BALL" --steps 0.05:2e-4 --of v --scheme moreau_jean
within 0.8 1.2
out_has '^ *rel_l1 *order'
out_has 'average/largest'

# graphs: velocities with order 1, not at all uniformly
expect 0 "$ZENO" converge "$BALL" --steps 0.05:2e-4 --of v --schemes moreau_jean --norms uniform,hausdorff
awk '$1 == "hausdorff" && $2 == "order" { good = $3 > 0.8 && $3 < 1.2 } $1 == "uniform" && $2 == "order" { flat = $3 < 0.2 }
    END { exit !(good && flat) }' out || complain 'orders of the graph and of the uniform norm'
expect 0 "$ZENO" converge "$BALL" --steps 0.1:4e-3:4 --of v --reference finest --norms hausdorff --json
out_has '"hausdorff"'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:4e-3:4 --of v --norms hausdorf
err_has "did you mean 'hausdorff'"

# other references; h in parameters
expect 0 "$ZENO" converge "$BALL" --steps 0.1:4e-3:4 --of q --reference finest --norms l1
out_has 'against the finest step'
within 0.7 1.3
expect 0 "$ZENO" converge "$BALL" --steps 0.1:4e-3:4 --of q --reference combined_projection:theta=0.5:2e-4 --norms l1
out_has 'against combined_projection:theta=0.5:2e-4'
within 0.7 1.3
expect 0 "$ZENO" converge "$GALLERY/elastic-bar/model.yaml" --steps 2e-5:4e-6:3 --of q --norms l1 \
    --set 'N=round(1/(5188*h))'
within 0.7 1.3

# several schemes, a window, all forms of output
expect 0 "$ZENO" converge "$BALL" --steps 0.1:0.01:3 --of q,v --window 0:0.9 --json \
    --schemes moreau_jean:theta=1,gamma=0.5,combined_projection --csv table.csv --plot order.svg
[ "$(grep -c '"scheme": "moreau_jean:theta=1,gamma=0.5"' out)" -eq 2 ] || complain 'two studies per scheme'
[ "$(wc -l <table.csv)" -eq 13 ] || complain 'table.csv does not have 13 lines'
head -1 table.csv | grep -q '^scheme,quantity,step,uniform,l1,l2,rel_l1,Newton,' || complain 'header of table.csv'
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
s = json.load(open("out"))["studies"]
assert len(s) == 4 and len(s[0]["rows"]) == 3 and s[0]["orders"]["l1"]["steps"] == 3' || complain 'JSON'
    python3 -c 'import xml.dom.minidom as x; x.parse("order.svg")' || complain 'order.svg is not XML'
fi
expect 0 "$ZENO" converge "$BALL" --steps 0.1:0.01:3 --of q --csv - --plot order.png
out_has '^scheme,quantity'
[ "$(wc -l <out)" -eq 4 ] || complain 'only the CSV goes to standard output'
exists order.png

# exact steps are kept
expect 0 "$ZENO" converge "$BALL" --steps 0.1:0.001:3 --of q --exact-steps
out_has '^ *0.1  '
out_has '^ *0.01  '
out_has '^ *0.001  '

# a step size that fails is a row; when all fail the status is 3
sed -e 's/mass: 1,/mass: 1, velocity: [3, 0],/' \
    -e 's/^contacts:/springs: {rope: {from: ground, to: ball, stiffness: 1e4, rest_length: 0.5}}\n&/' \
    -e 's/until: 1/until: 0.1, max_subdivisions: 0/' "$HERE/ball.yaml" >rope.yaml
expect 0 "$ZENO" converge rope.yaml --steps 0.05:1e-5:4 --of height --norms l1 --schemes :newton_iterations=3
out_has "failed: step from t = .*Newton's method: residual .* at 'ball' .*what may help: newton_iterations: 30"
out_has 'order .*(from [23] of 4 steps)'
err_empty
expect 3 "$ZENO" converge rope.yaml --steps 0.05:0.03:2 --of height --schemes :newton_iterations=1 \
    --reference moreau_jean:1e-4
out_has 'failed'
out_has 'no order'
expect 3 "$ZENO" converge "$BALL" --steps 0.1:0.01:2 --of q --window 7:8
out_has 'no row lies in the window'
expect 3 "$ZENO" converge "$BALL" --steps 0.1:0.01:2 --of q --set e=1
out_has 'not finite'

# bad arguments
expect 2 "$ZENO" converge
err_has 'which model'
expect 2 "$ZENO" converge "$BALL" --of q
err_has 'which step sizes'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01
err_has 'the error of what'
for steps in 0.1 0.1:x 0.1:0 -1:0.1 0.1:0.01:0 0.1:0.01:2.5 0.1:0.01:3:4 ''; do
    expect 2 "$ZENO" converge "$BALL" --of q --steps "$steps"
    err_has "option '--steps'"
    out_empty
done
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of height
err_has "option '--of': there is no record 'height' (q, v, "
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of ledger
err_has 'components .*say which'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of q --norms l3
err_has "'l3' is none of uniform"
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of q --window 2
err_has "option '--window'"
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of q --schemes moreau_jaen
err_has "did you mean 'moreau_jean'"
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of energy --reference closed
err_has "no closed form of 'energy'"
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of q --reference nothing
err_has 'unknown scheme'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.01 --of q --set nothing=1
err_has "no parameter 'nothing'"
expect 2 "$ZENO" converge none.yaml --steps 0.1:0.01 --of q
err_has 'No such file'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.05:2 --of q --plot here.pdf
err_has '.svg or .png'
expect 2 "$ZENO" converge "$BALL" --steps 0.1:0.05:2 --of q --csv /nonexistent/x.csv
err_has 'No such file'
finish

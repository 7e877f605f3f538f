# zeno sweep: values, measures, rows that fail, files, bad arguments.
. "$HERE/lib.sh"
BALL=$HERE/../../gallery/bouncing-ball/model.yaml

expect 0 "$ZENO" sweep "$BALL" --vary y0=1:2:3 --measure 'max(q),impacts(floor)'
out_has '^ *y0 *max(q) *impacts(floor)$'
out_has '^ *1 *1 '
out_has '^ *1.5 *1.5 '
out_has '^ *2 *2 '
[ "$(wc -l <out)" -eq 4 ] || complain 'a header and three rows'
err_empty

# pairs, lists, scheme options, the step and what depends on it
expect 0 "$ZENO" sweep "$BALL" --vary e=0.2,0.5 --vary theta=0.5:1:3 --measure 'final(q)' --step 0.01 --csv pairs.csv
[ "$(wc -l <pairs.csv)" -eq 7 ] || complain 'pairs.csv does not have 7 lines'
head -1 pairs.csv | grep -q '^scheme,theta,e,final(q),failed$' || complain 'header of pairs.csv'
expect 0 "$ZENO" sweep "$BALL" --vary step=0.1:1e-3:3:log --measure penetration --set y0=1+h \
    --schemes moreau_jean,combined_projection --plot depth.png --csv -
out_has '^moreau_jean,0.1'
out_has '^combined_projection,0.01,'
[ "$(wc -l <out)" -eq 7 ] || complain 'only the CSV goes to standard output'
exists depth.png
expect 0 "$ZENO" sweep "$BALL" --vary until=1:3:3 --measure 'duration(floor,2),ledger(contact)' --plot depth.svg --logy
out_has "1 .* - .*(duration(floor,2): 'floor' has "
exists depth.svg

# values of the file by their path, also in lists
expect 0 "$ZENO" sweep "$BALL" --vary bodies.ball.position.1=1:2:3 --measure 'max(q)'
out_has '^ *bodies.ball.position.1 *max(q)$'
out_has '^ *1.5 *1.5$'
expect 2 "$ZENO" sweep "$BALL" --vary bodies.ball.weight=1:2:3 --measure 'max(q)'
err_has "there is no 'bodies.ball.weight' in the model"

# a run that fails is a row; when all fail the status is 3
expect 0 "$ZENO" sweep "$BALL" --vary e=0.5,1,1.5 --measure 'final(q)'
out_has '^ *1.5  failed: .*restitution'
expect 3 "$ZENO" sweep "$BALL" --vary until=-2,-1 --measure 'final(q)'
out_has 'failed: .*until'

# bad arguments
expect 2 "$ZENO" sweep
err_has 'which model'
expect 2 "$ZENO" sweep "$BALL" --measure penetration
err_has 'vary what'
expect 2 "$ZENO" sweep "$BALL" --vary e=0:1
err_has 'measure what'
for vary in e e= e=x e=0:1:0 e=0:1:2.5 e=0:1:3:lag e=0:1:2:3 e=0:1:3:log e=1:2:3:4:5:6; do
    expect 2 "$ZENO" sweep "$BALL" --vary "$vary" --measure penetration
    err_has "option '--vary'"
    out_empty
done
expect 2 "$ZENO" sweep "$BALL" --vary e=0:1 --vary y0=1:2 --vary theta=0.5:1 --measure penetration
err_has 'two names'
expect 2 "$ZENO" sweep "$BALL" --vary mass=1:2 --measure penetration
err_has "'mass' is neither a parameter"
expect 2 "$ZENO" sweep "$BALL" --vary e=0:1 --measure penetration --schemes nothing
err_has 'unknown scheme'
expect 0 "$ZENO" sweep "$BALL" --vary step=0.1:0.01:3:log --measure 'penetration,final(q)' --plot named.svg --title Depth \
    --ylabel 'depth [m]'
grep -q '>Depth<' named.svg || complain 'named.svg lacks its title'
grep -q '>depth \[m\]<' named.svg || complain 'named.svg lacks its label'
grep -q '>final(q)<' named.svg || complain 'a panel without a label has the name of its measure'
grep -q '>step \[s\]<' named.svg || complain 'named.svg lacks the unit of the step'
expect 2 "$ZENO" sweep "$BALL" --vary e=0:1:2 --measure penetration --plot x.gif
err_has '.svg or .png'

# a measure no run has is refused before any run, with what there is
while read -r measure message; do
    expect 2 "$ZENO" sweep "$BALL" --vary e=0:0.5:2 --measure "penetration,$measure"
    err_has "$message"
    out_empty
done <<END
final(height) option '--measure': 'final(height)': there is no record 'height' (q, v
finale(q) unknown measure 'finale'; did you mean 'final'? (final, at, .*energy_created
final takes 1 arguments
at(q,soon) 'soon' is not a number
impacts(flor) there is no contact 'flor' (floor)
largest(newtn) no iterations are called 'newtn' (newton, projection, activation, solver)
ledger(kontact) there is no ledger line 'kontact' (kinetic, .*numerical)
END

# iterations per step are those of the certificate
expect 0 "$ZENO" run "$BALL" --scheme nsga --no-output
sed -n 's/^  \(Newton\|projection\|activation\)  *\([0-9.]*\)  *\([0-9]*\)$/\2 \3/p' out | tr '\n' ' ' >counts
[ "$(wc -w <counts)" -eq 6 ] || complain 'no iterations in the certificate'
expect 0 "$ZENO" sweep "$BALL" --vary e=0.5 --schemes nsga --csv - \
    --measure 'average(newton),largest(newton),average(projection),largest(projection),average(activation),largest(activation)'
[ "$(tail -1 out | awk -F, '{for (i = 3; i < 9; i++) printf "%.3g ", $i}')" = "$(cat counts)" ] || complain 'other iterations'
expect 0 "$ZENO" sweep "$BALL" --vary e=0:0.5:2 --measure 'energy_created,halved_steps,numerical,joint'
finish

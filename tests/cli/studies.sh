# Many runs: worker processes, samples, journals. Killed workers and masters cost the rows that were running.
. "$HERE/lib.sh"
BALL=$HERE/../../gallery/bouncing-ball/model.yaml
cp "$BALL" ball.yaml

same() { cmp -s "$1" "$2" || complain "'$1' and '$2' differ"; }

# children of a process, without tools that may not be there
children() {
    [ ! -e "/proc/$1/stat" ] || cat "/proc/$1/task/$1/children" 2>/dev/null ||
        sed 's/^\([0-9]*\) (.*) . \([0-9]*\) .*/\1 \2/' /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$2 == parent { print $1 }'
}

# start JOBS JOURNAL COMMAND...: in the background, until there are workers and some rows are done
start() {
    jobs=$1
    journal=$2
    shift 2
    "$@" -j "$jobs" --resume "$journal" >out 2>err </dev/null &
    master=$!
    for i in $(seq 600); do
        workers=$(children $master)
        [ "$jobs" -eq 1 ] || [ -n "$workers" ] && [ -s "$journal" ] && [ "$(wc -c <"$journal")" -gt 256 ] && return
        sleep 0.02
    done
    complain "'$journal' does not grow"
}

# the same bytes with 1, 2 and 3 processes, rows that fail included
for j in 1 2 3; do
    expect 0 "$ZENO" sweep ball.yaml --vary e=0.5,1,1.5 --vary y0=1,2 --measure 'final(q),duration(floor,3)' --step 0.01 \
        --schemes moreau_jean,combined_projection --csv rows$j.csv --plot rows$j.svg -j $j
    cp out table$j
    err_empty
done
grep -q 'failed: .*restitution' table1 || complain 'no row failed'
for j in 2 3; do
    same table1 table$j
    same rows1.csv rows$j.csv
    same rows1.svg rows$j.svg
done
expect 3 "$ZENO" sweep ball.yaml --vary until=-2,-1 --measure 'final(q)' -j 2
for jobs in 0 1.5; do
    expect 2 "$ZENO" sweep ball.yaml --vary e=0.5 --measure 'final(q)' -j $jobs
    err_has "^error: option '-"
done

# samples: values as they were drawn, seed and statistics beside them
for j in 1 2; do
    expect 0 "$ZENO" sweep ball.yaml --sample 40 'y0=normal(2,0.1)' 'e=uniform(0.4,0.6)' --measure 'max(q)' --step 0.02 --lhs \
        --seed 5 --csv sample$j.csv --statistics statistics$j.csv --report sample$j.html -j $j --title 'a < b'
    cp out sample$j
    out_has '^40 samples (Latin hypercube), seed 5: y0=normal(2,0.1), e=uniform(0.4,0.6)$'
    out_has '^  40 values$'
    out_has '##'
done
same sample1 sample2
same sample1.csv sample2.csv
same statistics1.csv statistics2.csv
same sample1.html sample2.html
# the page: all values are in the bars, the numbers are those of the CSV, and texts are no tags
sed -n 's/.*<title>\([0-9]*\) from .*/\1/p' sample1.html | awk '{ sum += $1 } END { exit sum != 40 }' || complain 'bars of the page'
mean=$(tail -1 statistics1.csv | awk -F, '{ printf "mean %.6g", $6 }')
grep -q "$mean" sample1.html || complain 'mean of the page'
grep -q '<h1>a &lt; b</h1>' sample1.html || complain 'title of the page'
[ "$(grep -c '<svg' sample1.html)" -eq 1 ] && [ "$(grep -c '</svg>' sample1.html)" -eq 1 ] || complain 'histograms of the page'
expect 2 "$ZENO" sweep ball.yaml --vary e=0.5 --measure 'final(q)' --report page.html
err_has "belong to '--sample'"
[ "$(head -1 sample1.csv)" = 'scheme,seed,sample,y0,e,max(q),failed' ] || complain 'header of the sample'
# the highest place is the first; one value of e in each of 40 parts
awk -F, 'NR > 1 { if ($2 != 5 || $3 != NR - 1 || ($4 - $6) ^ 2 > 1e-20) bad = 1; part[int(($5 - 0.4) / 0.2 * 40)]++; sum += $4 }
    END { for (i = 0; i < 40; i++) if (part[i] != 1) bad = 1; printf "%.12f\n", sum / 40; exit bad }' sample1.csv >mean ||
    complain 'the sample is not what was asked for'
[ "$(tail -1 statistics1.csv | awk -F, '{ printf "%.12f", $6 }')" = "$(cat mean)" ] || complain 'another mean'
# strata: the mean is nearer than a part is wide, the deviation within a tenth
tail -1 statistics1.csv | awk -F, '{ exit !(($6 - 2) ^ 2 < 0.005 ^ 2 && ($8 / 0.1 - 1) ^ 2 < 0.01) }' || complain 'moments'
expect 0 "$ZENO" sweep ball.yaml --sample 5 'y0=lognormal(2,0.1)' --vary e=0.2,0.4 --measure 'max(q)' --step 0.02 --json
out_has '"seed": 1,'
out_has '"y0": "lognormal(2,0.1)"'
out_has '"design": "random"'
[ "$(grep -c '"measure": "max(q)"' out)" -eq 2 ] || complain 'statistics for each value of e'

# bad samples
while read -r distribution message; do
    expect 2 "$ZENO" sweep ball.yaml --sample 5 "$distribution" --measure 'max(q)'
    err_has "option '--sample': .*$message"
    out_empty
done <<END
y0=gauss(1,2) 'y0': 'gauss' is no distribution (normal, uniform, lognormal)
y0=normal(1) 'y0': 'normal(1)' is not of the form normal(mean,deviation)
=uniform(1,2) not of the form NAME=
mass=normal(1,2) 'mass' is neither a parameter
END
expect 2 "$ZENO" sweep ball.yaml --sample 5 --measure 'max(q)'
err_has 'distributions are expected'
expect 2 "$ZENO" sweep ball.yaml --sample 2.5 'y0=normal(1,2)' --measure 'max(q)'
err_has '2.5 is not a number of samples'
expect 2 "$ZENO" sweep ball.yaml --sample 5 'y0=normal(1,2)' 'y0=uniform(1,2)' --measure 'max(q)'
err_has "'y0' has two distributions"
expect 2 "$ZENO" sweep ball.yaml --vary e=0.5 --seed 3 --measure 'max(q)'
err_has "belong to '--sample'"

# studies of convergence: the same but for the time, which is last; a reference for each scheme, one for all, none
for reference in finest moreau_jean:1e-3 closed; do
    for j in 1 3; do
        expect 0 "$ZENO" converge ball.yaml --steps 0.1:0.01:3 --of q,v --schemes moreau_jean,nsga --norms l1,hausdorff \
            --reference $reference --csv - -j $j
        err_empty
        awk -F, -v OFS=, '{ $(NF - 1) = ""; print }' out >errors$j
    done
    same errors1 errors3
    [ "$(wc -l <errors1)" -eq 13 ] || complain 'twelve rows'
done
order="converge ball.yaml --steps 1e-2:2e-3:4 --of q --reference finest --csv -"
expect 0 "$ZENO" $order
awk -F, -v OFS=, '{ $(NF - 1) = ""; print }' out >errors1
expect 0 "$ZENO" $order -j 2 --resume order.study
size=$((($(wc -c <order.study) - 256) / 4)) # of a record; two and a half of the four are left
head -c $((256 + 2 * size + size / 2)) order.study >half.study
mv half.study order.study
for go_on in 1 2; do # the second time nothing is left to run
    expect 0 "$ZENO" $order --resume order.study
    awk -F, -v OFS=, '{ $(NF - 1) = ""; print }' out >errors$go_on.again
    same errors1 errors$go_on.again
done
expect 2 "$ZENO" $order --resume order.study --set e=0.4
err_has 'other settings'

# the gallery, with a problem whose values do not hold
for j in 1 3; do
    ZENO_GALLERY=$HERE/gallery expect 1 "$ZENO" gallery --verify -j $j
    cp out verify$j
done
same verify1 verify3
grep -q FAILED verify1 || complain 'a value that does not hold'
expect 2 "$ZENO" gallery -j 2
err_has "'-j' belongs to '--verify'"

# a killed worker costs its row, which says so; the others are as before. The last rows take long
slow="sweep ball.yaml --vary step=1e-2,5e-3,2e-3,5e-5,4e-5 --measure final(q),impacts(floor)"
expect 0 "$ZENO" $slow --csv whole.csv
cp out whole
start 2 killed.study "$ZENO" $slow --csv killed.csv
kill -KILL ${workers%%[!0-9]*} || complain 'no worker'
wait $master || complain 'a killed worker is no failure of the study'
[ "$(grep -c 'failed: its process was ended by signal 9 (Killed)' out)" -eq 1 ] || complain 'one row was killed'
[ "$(grep -vc Killed killed.csv)" -eq 5 ] || complain 'the others are not there'
grep -v Killed killed.csv | while read -r line; do grep -qxF -e "$line" whole.csv || echo "$line"; done >strange
[ ! -s strange ] || complain 'other rows changed'
expect 0 "$ZENO" $slow --csv again.csv --resume killed.study # it alone is run again
same again.csv whole.csv

# Ctrl-C keeps what is done
stop() {
    kill -TERM $master
    wait $master
    [ $? -eq 3 ] || complain 'an interrupted study does not end with 3'
    err_has 'error: interrupted: [1-4] of 5 runs are done; to go on: --resume study'
    [ "$(wc -l <stopped.csv)" -ge 2 ] || complain 'what was done is not written'
    for worker in $workers; do
        kill -0 "$worker" 2>/dev/null && complain 'workers are left'
    done
}
start 1 study "$ZENO" $slow --csv stopped.csv
stop
start 2 study "$ZENO" $slow --csv stopped.csv
stop

# a killed master loses what was running; its workers end, and half a record is cut off
start 2 study "$ZENO" $slow
kill -KILL $master
wait $master 2>/dev/null
sleep 0.2
for worker in $workers; do
    kill -0 "$worker" 2>/dev/null && grep -qv ') Z ' "/proc/$worker/stat" 2>/dev/null && complain 'a worker outlives its master'
done
printf 'half a record' >>study
for go_on in 1 2; do # the second time nothing is left to run
    expect 0 "$ZENO" $slow --csv again.csv --resume study -j 2
    same again.csv whole.csv
    same out whole
done

# another study is refused
expect 2 "$ZENO" $slow --resume study --until 1
err_has 'study: the study was begun with other settings'
expect 2 "$ZENO" sweep ball.yaml --vary step=1e-2,5e-3 --measure 'final(q),impacts(floor)' --resume study
err_has 'other settings'
echo '# a comment' >>ball.yaml
expect 2 "$ZENO" $slow --resume study
err_has 'study: the study was begun with another model'
cp study kept
expect 2 "$ZENO" $slow --resume ball.yaml
err_has 'would destroy'
expect 2 "$ZENO" $slow --resume whole.csv
err_has 'whole.csv: this is no file of a study'
same study kept
finish

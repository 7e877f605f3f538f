# zeno info, export and --json on results.
. "$HERE/lib.sh"
MODEL=$HERE/ball.yaml

"$ZENO" run "$MODEL" -q || complain 'the run failed'
expect 0 "$ZENO" info ball.zeno.h5
out_has '1001 rows up to t = 1 s'
out_has "zeno run .*ball.yaml -q"
out_has '  height  *m  *-\?[0-9.e-]*  *1  *'
out_has '  velocity.y  *m/s '
out_has '  floor  *impact  *0.45'
out_has 'energy closure'
expect 2 "$ZENO" info ball.zeno.h5 --evens
err_has "did you mean '--events'?"

expect 0 "$ZENO" export ball.zeno.h5 --csv ball.csv
out_empty
[ "$(head -1 ball.csv | cut -d, -f1-4)" = 't [s],height [m],velocity.x [m/s],velocity.y [m/s]' ] || complain 'bad header'
[ "$(wc -l <ball.csv)" -eq 1002 ] || complain 'bad number of lines'
expect 0 "$ZENO" export ball.zeno.h5 --csv
cmp -s out ball.csv || complain 'standard output differs from the file'
expect 0 "$ZENO" export ball.zeno.h5 -o same.csv
cmp ball.csv same.csv || complain "-o FILE.csv is another table than --csv FILE"
expect 2 "$ZENO" export ball.zeno.h5 -o ball.txt
expect 2 "$ZENO" export ball.zeno.h5 --csv one.csv -o two.csv
expect 2 "$ZENO" export ball.zeno.h5
err_has 'csv'
expect 2 "$ZENO" export
expect 2 "$ZENO" export nothing.h5 --csv
err_has 'nothing.h5: No such file'
expect 2 "$ZENO" export "$MODEL" --csv
err_has 'not a result file but a model'
expect 2 "$ZENO" export ball.zeno.h5 --csv /nonexistent/x.csv
if [ -e /dev/full ]; then
    expect 2 "$ZENO" export ball.zeno.h5 --csv /dev/full
    err_has 'No space left'
fi

# JSON, also with a title that needs escaping
expect 0 "$ZENO" run "$HERE/gallery/wrong/model.yaml" --json --no-output
out_has '"title": "A \\"quoted\\" title"'
out_has '"result": null'
out_has '"limit": null'
if command -v python3 >/dev/null; then
    python3 - "$WORK/out" <<'EOF' || complain 'the JSON summary is wrong'
import json, sys
s = json.load(open(sys.argv[1]))
assert s["title"] == 'A "quoted" title'
assert s["outcome"] == "ok" and s["steps"] == 1000 and s["scheme"] == "moreau_jean"
assert s["penetration"]["kept"] is True and s["penetration"]["contact"] == "floor"
assert 0 < s["penetration"]["value"] < s["penetration"]["limit"] == 0.01
assert s["velocity"]["limit"] is None
e = s["energy"]
assert abs(e["start"] - 9.81) < 1e-12
assert abs(e["kinetic"] + e["gravity"] - e["start"] - e["contact"]) < 1e-9
assert len(s["momentum"]) == 3 and len(s["final"]["velocity"]) == 2
assert isinstance(s["final"]["height"], float)
EOF
fi
# a record that the scheme does not know: said once, NaN in the table
sed 's/^record: {/record: {U: ball.correction.y, /' "$MODEL" > unknown.yaml
expect 0 "$ZENO" run unknown.yaml --step 5e-3 --set deepest=1 -o unknown.zeno.h5
err_has "record 'U' is NaN: moreau_jean has no correction"
expect 0 "$ZENO" info unknown.zeno.h5
out_has '^ *U  *m  *nan  *nan  *nan$'
expect 0 "$ZENO" info ball.zeno.h5 --json
out_has '"steps": 1000'
out_has '"contact": "floor"'
finish

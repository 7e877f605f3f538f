# Frames for other programs. $1: the program that checks them, plain.py or readers.py.
. "$HERE/../cli/lib.sh"
if ! "$PYTHON" -c 'import numpy' 2>/dev/null; then
    echo "python3-numpy is not installed: exports are not checked"
    exit 77
fi
for problem in rigid beam solid shapes; do
    "$ZENO" run "$HERE/$problem.yaml" -q -o "$problem.h5" || exit 1
    "$ZENO" export "$problem.h5" --csv "$problem.csv" || exit 1
    "$ZENO" export "$problem.h5" --vtu "$problem" || exit 1
    "$ZENO" export "$problem.h5" --xdmf "$problem.xdmf" || exit 1
done
PYTHONDONTWRITEBYTECODE=1 "$PYTHON" "$HERE/$1" "$WORK"
status=$?
[ $status -eq 0 ] || exit $status
[ "$1" = plain.py ] || finish

# what cannot be done is said
expect 2 "$ZENO" export rigid.h5
err_has '--csv, --vtu or --xdmf'
expect 2 "$ZENO" export rigid.h5 --vtu
err_has 'into which folder'
expect 2 "$ZENO" export rigid.h5 --xdmf
err_has 'into which file'
expect 2 "$ZENO" export rigid.h5 --vtu=a --xdmf=b.xdmf
err_has 'one format at a time'
expect 2 "$ZENO" export rigid.h5 --xdmf wrong.txt
err_has "must end in '.xdmf'"
absent wrong.txt
expect 2 "$ZENO" export rigid.h5 --vtu rigid.csv
err_has 'rigid.csv: not a folder'
expect 2 "$ZENO" export rigid.h5 --vtu none/of/these
err_has 'none/of/these: No such file'
expect 2 "$ZENO" export rigid.h5 --xdmf none/x.xdmf
err_has 'none/x.xdmf: No such file'
cp rigid.h5 self.xdmf.h5
expect 2 "$ZENO" export self.xdmf.h5 --xdmf self.xdmf
err_has 'the result itself'
cmp -s rigid.h5 self.xdmf.h5 || complain 'the result was changed'
sed 's/^run: {/run: {frames: 0, /' "$HERE/rigid.yaml" > still.yaml
"$ZENO" run still.yaml -q -o still.h5 || complain 'the run failed'
expect 2 "$ZENO" export still.h5 --vtu still
err_has 'still.h5: it holds no frames'
if [ -e /dev/full ]; then
    mkdir -p full && ln -sf /dev/full full/scene-000003.vtu
    expect 2 "$ZENO" export rigid.h5 --vtu full
    err_has 'scene-000003.vtu: cannot be written: No space left'
fi

# a killed run, up to its last flush
"$ZENO" run "$HERE/rigid.yaml" -q --step 1e-5 --until 20 -o killed.h5 &
run=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.5
    "$ZENO" export killed.h5 --vtu killed 2>/dev/null && [ -e killed/scene-000002.vtu ] && break # of a run that goes on
done
kill -9 $run 2>/dev/null
wait $run 2>/dev/null
exists killed.h5.part
absent killed.h5
expect 0 "$ZENO" export killed.h5 --vtu killed
expect 0 "$ZENO" export killed.h5.part --xdmf killed.xdmf
[ "$(grep -c '<DataSet' killed/scene.pvd)" -ge 3 ] || complain 'too few frames of the killed run'
[ "$(grep -c '<Time' killed.xdmf)" -eq "$(grep -c '<DataSet' killed/scene.pvd)" ] || complain 'XDMF has other frames'
finish

# guarded.sh PROGRAM SHIM MODEL PROBLEMS: verbs that read HDF5 end in a message when HDF5 crashes over a file, and in its own way
# otherwise.
set -u
zeno=$1 shim=$2 model=$3 problems=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$zeno" run "$model" -q -o ball.h5 || exit 1
"$problems" . || exit 1
bad=0
for words in 'info ball.h5' 'plot ball.h5 -y t -o figure.svg' 'export ball.h5 --csv table.csv' 'view ball.h5 --no-open -o page.html' 'solve rod.hdf5' \
    'run -q --restart ball.h5 -o again.h5' "run $model -q --restart ball.h5 -o again.h5"; do
    LD_PRELOAD=$shim "$zeno" $words >out 2>err
    status=$?
    if [ $status != 2 ] || ! grep -q 'reading ended in a crash (Segmentation fault): a file is damaged' err; then
        echo "zeno $words: status $status"
        cat err
        bad=1
    fi
    "$zeno" $words >out 2>err || { echo "zeno $words: status $? without the shim"; bad=1; }
done
# killed, as Linux does where memory ends: the other process can still say so
CRASH_BY=9 LD_PRELOAD=$shim "$zeno" info ball.h5 >out 2>err
status=$?
if [ $status != 3 ] || ! grep -q '^error: zeno info: the process that reads was killed' err; then
    echo "zeno info, killed: status $status"
    cat err
    bad=1
fi
ls | grep -v -E '^(ball.h5|again.h5|figure.svg|table.csv|page.html|out|err|.*hdf5)$' && bad=1 # nothing half is left
exit $bad

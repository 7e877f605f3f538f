# Helpers for the tests of the program. Sourced; $ZENO is the program, $HERE this folder.
set -u
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
FAILED=0

complain() {
    echo "FAILED: $*"
    echo "--- standard output:"
    cat "$WORK/out"
    echo "--- standard error:"
    cat "$WORK/err"
    FAILED=1
}

# expect STATUS COMMAND...: run it, keep what it prints, compare its exit status.
expect() {
    wanted=$1
    shift
    "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
    got=$?
    [ "$got" -eq "$wanted" ] || complain "'$*' ended with $got, not $wanted"
}

out_has() { grep -q -e "$1" "$WORK/out" || complain "standard output lacks '$1'"; }
err_has() { grep -q -e "$1" "$WORK/err" || complain "standard error lacks '$1'"; }
out_empty() { [ ! -s "$WORK/out" ] || complain "standard output is not empty"; }
err_empty() { [ ! -s "$WORK/err" ] || complain "standard error is not empty"; }
exists() { [ -e "$1" ] || complain "there is no file '$1'"; }
absent() { [ ! -e "$1" ] || complain "there is a file '$1'"; }

finish() { exit $FAILED; }

#!/bin/sh
# completion/zeno.bash is what completion/generate makes, offers what the program takes, and works in bash.
# Environment: ZENO, ROOT, WORK.
set -eu
export ASAN_OPTIONS=detect_leaks=0 # a hundred short runs; others look for leaks
mkdir -p "$WORK/completion"
"$ROOT/completion/generate" "$ZENO" "$WORK/completion"
if ! diff -u "$ROOT/completion/zeno.bash" "$WORK/completion/zeno.bash"; then
    echo "the completion is out of date: completion/generate path/to/zeno completion" >&2
    exit 1
fi
faults=0

# every option in the tables of the program is offered by some verb
for name in $(grep -ohE '\{"[a-z-]+", *(0|.[a-z].), *OPTION_' "$ROOT"/cli/*.c | sed 's/{"\([a-z-]*\)".*/\1/' | sort -u); do
    grep -q -e "--$name[ \"]" "$ROOT/completion/zeno.bash" || { echo "--$name is not offered"; faults=1; }
done

# and what is offered for a verb is taken by it: no complaint that it is unknown
ZENO_GALLERY=/nonexistent
export ZENO_GALLERY
sed -n 's/^        \([a-z]*\)) words="\(.*\)" ;;/\1 \2/p' "$ROOT/completion/zeno.bash" > "$WORK/completion/options"
[ "$(wc -l < "$WORK/completion/options")" -gt 8 ]
while read -r verb options; do
    for option in $options; do
        [ "$option" != --help ] || continue
        words=$verb
        case $verb$option in gallery--verify | gallery--slow) ;; gallery*) words="gallery run nothing" ;; esac
        answer=$("$ZENO" $words "$option" 2>&1 < /dev/null) || true
        case $answer in *"unknown option"*) echo "zeno $words $option: $answer"; faults=1 ;; esac
    done
done < "$WORK/completion/options"

# in bash: "WORDS" -> what is offered for the last one
command -v bash > /dev/null || { echo "bash is not installed: completion is not tried"; exit $faults; }
offered() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zeno; echo "${COMPREPLY[@]}"' \
        bash "$ROOT/completion/zeno.bash" "$@" 2>/dev/null
}
expect() {
    wanted=$1
    shift
    got=$(offered "$@")
    [ "$got" = "$wanted" ] || { echo "'$*': '$got', not '$wanted'"; faults=1; }
}
export ZENO_GALLERY="$ROOT/gallery"
expect "check" zeno ch
expect "export" zeno exp
expect "--csv" zeno export --c
expect "--step" zeno run model.yaml --ste
expect "nsga nsga_coupled newmark" zeno run model.yaml --scheme n
expect "rocking-block rocking-rod" "$ZENO" gallery run rocking
expect "plot" zeno help pl
cd "$ROOT"
expect "CHANGELOG.md" zeno run CHANGE
exit $faults

#!/bin/sh
# The completions for bash and zsh are what completion/generate makes, offer what the program takes, and work.
# Environment: ZENO, ROOT, WORK.
set -eu
export ASAN_OPTIONS=detect_leaks=0 # a hundred short runs; others look for leaks
mkdir -p "$WORK/completion"
"$ROOT/completion/generate" "$ZENO" "$WORK/completion"
for file in zeno.bash _zeno; do
    diff -u "$ROOT/completion/$file" "$WORK/completion/$file" && continue
    echo "the completion is out of date: completion/generate path/to/zeno completion" >&2
    exit 1
done
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

# "SHELL WORDS..." -> what is offered for the last one
in_bash() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zeno; echo "${COMPREPLY[@]}"' \
        bash "$ROOT/completion/zeno.bash" "$@" 2>/dev/null
}
in_zsh() { # with stand-ins for what the completion system has
    zsh -f -c '
    file=$1; shift; words=("$@"); CURRENT=$#; typeset -a found
    _describe() { [[ $1 != -o ]] || shift; found=(${${(P)2}%%:*}); }
    _files() { found=(${words[CURRENT]}*(N)); }
    . "$file"
    print -r -- ${(M)found:#${words[CURRENT]}*}' zsh "$ROOT/completion/_zeno" "$@"
}
shells=
for shell in bash zsh; do
    if command -v $shell > /dev/null; then shells="$shells $shell"; else echo "$shell is not installed: its completion is not tried"; fi
done
expect() {
    wanted=$1
    shift
    for shell in $shells; do
        got=$("in_$shell" "$@")
        [ "$got" = "$wanted" ] || { echo "$shell: '$*': '$got', not '$wanted'"; faults=1; }
    done
}
export ZENO_GALLERY="$ROOT/gallery"
expect "check" zeno ch
expect "export" zeno exp
expect "--csv" zeno export --c
expect "--step" zeno run model.yaml --ste
expect "nsga nsga_coupled newmark" zeno run model.yaml --scheme n
# options of schemes, all and only those of the manual, behind NAME: and behind a comma; zsh has no line to look at here
behind_colon() { # LINE WORDS...
    bash -c '. "$1"; COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _zeno; echo "${COMPREPLY[@]}"' bash "$ROOT/completion/zeno.bash" "$@" 2>/dev/null
}
manual=$("$ZENO" reference | sed -n '/^## run: scheme/,/^### schemes/s/^| `\([a-z_]*\)` .*/\1=/p' | tr '\n' ' ')
[ "$(behind_colon 'zeno run m --scheme nsga:' zeno run m --scheme nsga :) " = "$manual" ] || { echo "not the options of the manual"; faults=1; }
[ "$(behind_colon 'zeno run m --scheme nsga:rho' zeno run m --scheme nsga : rho)" = "rho_inf=" ] || { echo "no rho_inf"; faults=1; }
[ "$(behind_colon 'zeno run m --scheme :theta=1,ga' zeno run m --scheme : theta = 1,ga)" = "1,gamma= 1,gap_tolerance=" ] ||
    { echo "nothing behind a comma"; faults=1; }
for option in $manual; do
    grep -q "^            '${option%=}'\$" "$ROOT/completion/_zeno" || { echo "zsh: no $option"; faults=1; }
    grep -q "^\.B ${option%=}\$" "$ROOT/man/zeno-run.1" || { echo "manual page: no $option"; faults=1; }
done
expect "rocking-block rocking-rod" "$ZENO" gallery run rocking
expect "plot" zeno help pl
cd "$ROOT"
expect "CHANGELOG.md" zeno run CHANGE

# in an interactive zsh with its own completion system: TAB completes the verb
case $shells in *zsh*)
    mkdir -p "$WORK/completion/home"
    line=$(HOME=$WORK/completion/home zsh -f -c '
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; bindkey \"^I\" complete-word; print re\"\"ady"
        await() { # until it has said this, ten seconds at most
            local all=
            for i in {1..100}; do
                while zpty -rt shell part; do all+=$part; done
                [[ $all != *$1* ]] || return 0
                sleep 0.1
            done
            return 1
        }
        await ready
        zpty -w -n shell $'\''zeno() { print -r -- "got $*" }\nzeno conv\t--exact\tend\n'\''
        await "got converge --exact-steps end" && print found
        zpty -d shell' zsh "$ROOT/completion" 2>&1) || true
    [ "$line" = found ] || { echo "zsh did not complete: '$line'"; faults=1; } ;;
esac
exit $faults

#!/bin/sh
# Does what a page of the documentation says, in a folder of its own that holds copies of gallery/ and docs/:
#     ```yaml NAME   written to the file NAME; what begins with "zeno: 1" must pass `zeno check`
#     ```sh          must end with status 0; lines with make, sudo, apt, git, h5dump and python3 are left out
#     ```sh slow     left out
# What sweeps and studies of convergence measure on the way is what the page says (tables).
# Usage: run.sh PAGE. Environment: ZENO, ROOT, WORK.
set -eu
page=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$WORK/$(printf '%s' "$page" | tr '/.' '__')
blocks=$scratch.blocks
rm -rf "$scratch" "$blocks"
mkdir -p "$scratch/bin" "$blocks"
mkdir "$scratch/kept"
cat > "$scratch/bin/zeno" <<'END'
#!/bin/sh
# The program; keeps the words of sweeps and studies, and what they measured.
kept=$ZENO_KEPT/$$
case " $* " in *" --csv "* | *" --json "* | *" --help "*) exec "$ZENO" "$@" ;; esac
case ${1-} in
sweep | converge) printf '%s\n' "$@" > "$kept.words" ;;
esac
case ${1-} in
sweep) exec "$ZENO" "$@" --csv "$kept.out" ;;
converge) exec "$ZENO" "$@" --json > "$kept.out" ;;
*) exec "$ZENO" "$@" ;;
esac
END
chmod +x "$scratch/bin/zeno"
PATH=$scratch/bin:$PATH
ZENO_GALLERY=$scratch/gallery
ZENO_KEPT=$scratch/kept
export PATH ZENO_GALLERY ZENO_KEPT

# One file per block, "NUMBER.KIND", and a list of "NUMBER.KIND LINE NAME".
awk -v folder="$blocks" '
!open && /^ *```[a-z]/ {
    indent = match($0, /`/) - 1
    kind = substr($1, 4)
    wanted = (kind == "sh" && $2 != "slow") || kind == "yaml"
    file = ""
    if (wanted) {
        file = sprintf("%03d.%s", ++count, kind)
        print file, NR, (kind == "yaml" ? $2 : "") > (folder "/list")
        printf "" > (folder "/" file)
    }
    open = 1
    skipping = 0
    next
}
!open && /^ *```/ { open = 1; file = ""; next }
open && /^ *```/ { open = 0; if (file != "") close(folder "/" file); next }
open && file != "" {
    line = substr($0, indent + 1)
    if (kind == "sh" && (skipping || line ~ /^ *(make|sudo|apt|apt-get|git|h5dump|python3)( |$)/)) {
        skipping = line ~ /\\$/
        next
    }
    print line > (folder "/" file)
}' "$ROOT/$page"

[ -f "$blocks/list" ] || { echo "$page: no commands, no models"; exit 0; }
cp -R "$ROOT/gallery" "$ROOT/docs" "$scratch"
cd "$scratch"
faults=0
while read -r file line name; do
    status=0
    case $file in
    *.yaml)
        [ -z "$name" ] || cp "$blocks/$file" "$name"
        case $(head -n 1 "$blocks/$file") in
        "zeno: 1"*) zeno check "${name:-$blocks/$file}" > "$blocks/output" 2>&1 < /dev/null || status=$? ;;
        esac ;;
    *.sh) sh -e "$blocks/$file" > "$blocks/output" 2>&1 < /dev/null || status=$? ;;
    esac
    if [ $status -ne 0 ]; then
        faults=$((faults + 1))
        echo "$page:$line: this block ended with status $status:" >&2
        sed 's/^/    /' "$blocks/$file" >&2
        tail -n 40 "$blocks/output" >&2
    fi
done < "$blocks/list"
if grep -q '^<!-- made' "$ROOT/$page" && ! python3 "$here/tables" --check --fast --kept "$ZENO_KEPT" "$ZENO" "$page" >&2; then
    faults=$((faults + 1))
    echo "$page: make tables" >&2
fi
echo "$page: $(wc -l < "$blocks/list") blocks, $faults failed"
[ $faults -eq 0 ]

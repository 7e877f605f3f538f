#!/bin/sh
# Does what a page of the documentation says, in a folder of its own that holds copies of gallery/ and docs/:
#     ```yaml NAME   written to the file NAME; what begins with "zeno: 1" must pass `zeno check`
#     ```sh          must end with status 0; lines with make, sudo, apt, git, h5dump and python3 are left out
#     ```sh slow     left out
# Usage: run.sh PAGE. Environment: ZENO, ROOT, WORK.
set -eu
page=$1
scratch=$WORK/$(printf '%s' "$page" | tr '/.' '__')
blocks=$scratch.blocks
rm -rf "$scratch" "$blocks"
mkdir -p "$scratch/bin" "$blocks"
cp -R "$ROOT/gallery" "$ROOT/docs" "$scratch"
ln -s "$ZENO" "$scratch/bin/zeno"
PATH=$scratch/bin:$PATH
ZENO_GALLERY=$scratch/gallery
export PATH ZENO_GALLERY

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
echo "$page: $(wc -l < "$blocks/list") blocks, $faults failed"
[ $faults -eq 0 ]

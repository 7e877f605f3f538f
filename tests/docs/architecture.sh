#!/bin/sh
# docs/architecture.md knows the tree: every folder is in it, every file of the library lies in a layer, and what it names
# exists. Environment: ROOT. With an argument: this page instead.
set -eu
cd "$ROOT"
page=${1:-docs/architecture.md}
faults=0
complain() {
    echo "$page: $*" >&2
    faults=$((faults + 1))
}

# Folders: of the project (what is built or installed by others does not count), layers, kinds of tests.
for folder in */ src/*/ src/*/*/ tests/*/; do
    [ -d "$folder" ] || continue
    case $folder in
    build*/ | results/ | src/ | include/ | tests/) continue ;;
    esac
    grep -qF "$folder" "$page" || complain "nothing about $folder"
done
for file in src/*.c src/*.h src/*/*/*/*.c; do
    [ ! -e "$file" ] || complain "$file lies in no layer"
done

# Paths in `code`: those that begin with a folder of ours, NAME standing for any name.
paths=$(grep -o '`[^`]*`' "$page" | tr -d '`' | tr ' ' '\n' | grep -E '^(src|cli|tests|include|report|gallery|man|completion|python|site|bench|examples|cmake|docs)/' |
    sed 's/NAME/*/; s/[,;:]$//' | sort -u)
[ -n "$paths" ] || complain 'names no path at all'
for pattern in $paths; do
    ls -d $pattern >/dev/null 2>&1 || complain "there is no $pattern"
done
[ "$faults" = 0 ]

#!/bin/sh
# Every relative link of the Markdown files leads to a file, and its #anchor to a heading. Environment: ROOT.
# With arguments: these files instead of all.
set -eu
cd "$ROOT"
[ $# -gt 0 ] || set -- README.md CHANGELOG.md $(find docs gallery bench examples -name '*.md' 2>/dev/null | sort)

# "line target" of each link outside of code.
links() {
    awk '
    /^ *```/ { code = !code; next }
    code { next }
    {
        line = $0
        gsub(/`[^`]*`/, "", line)
        while (match(line, /\]\([^) ]+/)) {
            print NR, substr(line, RSTART + 2, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
        line = $0
        while (match(line, /(src|href)="[^"]+"/)) {
            target = substr(line, RSTART, RLENGTH - 1)
            sub(/^[a-z]+="/, "", target)
            print NR, target
            line = substr(line, RSTART + RLENGTH)
        }
    }' "$1"
}

# Anchors as GitHub makes them of headings.
anchors() {
    awk '
    /^ *```/ { code = !code; next }
    !code && /^#+ / {
        sub(/^#+ +/, "")
        text = tolower($0)
        gsub(/[^a-z0-9 _-]/, "", text)
        gsub(/ /, "-", text)
        print text
    }' "$1"
}

faults=0
count=0
for page in "$@"; do
    list=$(links "$page")
    [ -n "$list" ] || continue
    while read -r line target; do
        case $target in
        http://* | https://* | mailto:*) continue ;;
        esac
        count=$((count + 1))
        file=${target%%#*}
        anchor=${target#"$file"}
        anchor=${anchor#\#}
        if [ -z "$file" ]; then path=$page; else path=$(dirname "$page")/$file; fi
        if [ ! -e "$path" ]; then
            echo "$page:$line: '$target' leads to no file" >&2
            faults=$((faults + 1))
        elif [ -n "$anchor" ] && ! anchors "$path" | grep -qxF -- "$anchor"; then
            echo "$page:$line: '$target': there is no such heading" >&2
            faults=$((faults + 1))
        fi
    done <<LIST
$list
LIST
done
echo "$count links, $faults of them lead nowhere"
[ "$faults" -eq 0 ]

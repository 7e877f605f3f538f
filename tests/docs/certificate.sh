#!/bin/sh
# The certificate in docs/getting-started.md has the lines, in the order, that its run prints. Values may differ.
# Environment: ZENO, ROOT.
set -eu
page=$ROOT/docs/getting-started.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What stands before the values: up to the first two blanks in a row; of the line about speed nothing.
labels() { sed -e '/steps\/s/d' -e '/^ *$/d' -e 's/^ *//' -e 's/   *.*//'; }

sed -n '/^## The certificate/,/^## Your own model/p' "$page" |
    awk '/^```text/ { inside = 1; next } /^```/ { inside = 0 } inside' | labels > "$scratch/page"
"$ZENO" gallery run rocking-block --no-output | sed '/^momentum/,$d' | labels > "$scratch/run"
[ -s "$scratch/page" ] || { echo "$page shows no certificate"; exit 1; }
diff "$scratch/page" "$scratch/run" || { echo "< the page, > what 'zeno gallery run rocking-block' prints"; exit 1; }

#!/bin/sh
# site/generate makes the site, site/check finds nothing wrong with it, and finds what is wrong elsewhere.
# Environment: ROOT, WORK, PYTHON, ZENO.
set -eu
. "$ROOT/tests/report/lib.sh"
need_site
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$WORK/reports"
[ -f "$WORK/reports/rocking-block.html" ] || { # one report stands for all
    "$ZENO" gallery run rocking-block -q -o "$WORK/reports/block.zeno.h5"
    "$ZENO" view "$WORK/reports/block.zeno.h5" -q --no-open -o "$WORK/reports/rocking-block.html"
}
"$PYTHON" "$ROOT/site/generate" "$WORK/site" --reports "$WORK/reports"
"$PYTHON" "$ROOT/site/check" "$WORK/site"

for folder in "$ROOT"/gallery/*/; do # every problem has its page, its picture and its thumbnail
    name=$(basename "$folder")
    for file in index.html report.png small.webp model.yaml.html; do
        [ -s "$WORK/site/gallery/$name/$file" ] || { echo "gallery/$name/$file is missing" >&2; exit 1; }
    done
    grep -q "href=\"$name/index.html\"" "$WORK/site/gallery/index.html"
done
[ -s "$WORK/site/gallery/rocking-block/report.html" ]

# the checker sees what it should
broken=$WORK/broken
rm -rf "$broken"
mkdir -p "$broken"
cat > "$broken/index.html" <<'HTML'
<h1 id="a">A</h1><h2 id="a">B</h2><a href="gone.html">x</a><a href="other.html#nowhere">y</a><a href="#a">z</a><img src="no.png">
<script src="https://example.org/x.js"></script><a href="https://example.org">w</a><a href="../site/index.html">v</a>
HTML
echo '<p id="here">o</p><a href="index.html#a">b</a>' > "$broken/other.html"
echo 'alone' > "$broken/alone.html"
status=0
said=$("$PYTHON" "$ROOT/site/check" "$broken") || status=$?
[ $status -eq 1 ] || { echo "site/check ended with $status on broken pages" >&2; exit 1; }
for fault in "two elements with the id 'a'" "'gone.html' leads to no file" "'other.html#nowhere' there is no such place" \
    "'no.png' has no alt text" "'no.png' leads to no file" "x.js' does not come from the site" "leads out of the site" \
    "alone.html: no link leads here" "3 pages, 8 links, 8 faults"; do
    printf '%s\n' "$said" | grep -qF -- "$fault" || { printf 'not said: %s, but\n%s\n' "$fault" "$said" >&2; exit 1; }
done

# a folder that holds something else is left alone
mkdir -p "$WORK/precious"
touch "$WORK/precious/thesis.tex"
if "$PYTHON" "$ROOT/site/generate" "$WORK/precious" 2> /dev/null; then exit 1; fi
[ -f "$WORK/precious/thesis.tex" ]

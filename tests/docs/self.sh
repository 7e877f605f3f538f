#!/bin/sh
# Do the checks of the documentation see what they should? On small pages of their own. Environment: ZENO, ROOT, WORK.
set -eu
here=$ROOT/tests/docs
tree=$WORK/self
rm -rf "$tree"
mkdir -p "$tree/docs" "$tree/gallery"
export WORK="$tree/work"
mkdir -p "$WORK"

# expect STATUS TEXT COMMAND...: the command ends so and its output holds the text.
expect() {
    status=$1
    text=$2
    shift 2
    got=0
    output=$(ROOT=$tree "$@" 2>&1) || got=$?
    if [ "$got" -ne "$status" ] || ! printf '%s' "$output" | grep -qF -- "$text"; then
        echo "expected status $status and '$text', got $got:" >&2
        echo "$output" >&2
        exit 1
    fi
}

printf '# A b\n[x](b.md) `[no](link.md)` [y](https://example.org) [z](#a-b)\n```\n[no](link)\n```\n' > "$tree/docs/a.md"
printf '# B, c!\n[x](a.md#a-b)\n' > "$tree/docs/b.md"
expect 0 "3 links, 0 of them" sh "$here/links.sh" docs/a.md docs/b.md
printf '[x](gone.md)\n<img src="no.svg">\n[y](b.md#gone)\n' > "$tree/docs/c.md"
expect 1 "docs/c.md:1: 'gone.md' leads to no file" sh "$here/links.sh" docs/c.md
expect 1 "docs/c.md:2: 'no.svg' leads to no file" sh "$here/links.sh" docs/c.md
expect 1 "docs/c.md:3: 'b.md#gone': there is no such heading" sh "$here/links.sh" docs/c.md

printf '`docs/` `src/math/` and `src/math/gone.c`\n' > "$tree/docs/tree.md"
mkdir -p "$tree/odd" "$tree/src/math"
expect 1 "docs/tree.md: nothing about odd/" sh "$here/architecture.sh" docs/tree.md
expect 1 "docs/tree.md: there is no src/math/gone.c" sh "$here/architecture.sh" docs/tree.md
rmdir "$tree/odd"

model='zeno: 1\nplanar: true\nbodies: {a: {mass: 1}}\nrun: {step: 1, until: 2}\n'
printf '```sh\nmake never \\\n  and not this\nzeno --version\ntest -d gallery\n```\n```sh slow\nfalse\n```\n```c\nfalse\n```\n' \
    > "$tree/docs/good.md"
printf '```yaml m.yaml\n'"$model"'```\n```yaml\nonly: a part\n```\n  ```sh\n  zeno run m.yaml -q\n  ```\n' >> "$tree/docs/good.md"
expect 0 "4 blocks, 0 failed" sh "$here/run.sh" docs/good.md
printf 'text\n```sh\nzeno nonsense\n```\n' > "$tree/docs/bad.md"
expect 1 "docs/bad.md:2: this block ended with status 2" sh "$here/run.sh" docs/bad.md
printf '```yaml\nzeno: 1\nnonsense: 2\n```\n' > "$tree/docs/bad.md"
expect 1 "docs/bad.md:1: this block ended with status 2" sh "$here/run.sh" docs/bad.md
printf '```sh\nfalse\ntrue\n```\n' > "$tree/docs/bad.md"
expect 1 "1 blocks, 1 failed" sh "$here/run.sh" docs/bad.md
expect 1 "model-file.md is out of date" env WORK="$WORK" sh -c "echo no > '$tree/docs/model-file.md'; sh '$here/reference.sh'"

# measured numbers: made, compared by the digits shown, told where they differ, excused
ball='zeno: 1\nplanar: true\ngravity: [0, -2]\nparameters: {v: 3}\nbodies: {a: {mass: 1, velocity: [v, 0]}}\n'
ball=$ball'record: {x: a.position.x, y: a.position.y}\nreference: {y: -t^2}\nrun: {scheme: moreau_jean, step: 0.1, until: 1}\n'
page() { # RECIPE TEXT
    printf '```yaml m.yaml\n'"$ball"'```\n```sh\nzeno sweep m.yaml --vary v=1,2 --measure "final(x),final(y)" # -> fall\n'
    printf 'zeno converge m.yaml --steps 0.1:0.01:3 --of x --reference finest --norms l1 # -> order\n```\n'
    printf '<!-- made\n%b-->\n%b<!-- end -->\n' "$1" "$2"
} > "$tree/docs/made.md"
recipe='| v | fall* {v:g} |\n|---|---|---|\n| x | fall* {_1:.2f} |\nfall* {v:g} {_2:.1f}.\n'
page "$recipe" ''
expect 1 'docs/made.md: make tables' sh "$here/run.sh" docs/made.md
expect 0 '1 blocks of measured numbers, 1 were made again' "$here/tables" "$ZENO" docs/made.md
grep -q '^| x | 1.00 | 2.00 |$' "$tree/docs/made.md" || { echo 'not made' >&2; exit 1; }
grep -q '^2 −1.0\.$' "$tree/docs/made.md" || { echo 'no row for each' >&2; exit 1; }
expect 0 '2 blocks, 0 failed' sh "$here/run.sh" docs/made.md
expect 0 ', 0 differ' "$here/tables" "$ZENO" --check docs/made.md
sed 's/1\.00/1.01/' "$tree/docs/made.md" > "$tree/docs/rounded.md" # one unit of the last digit is rounding
expect 0 ', 0 differ' "$here/tables" "$ZENO" --check docs/rounded.md
sed 's/1\.00/1.02/' "$tree/docs/made.md" > "$tree/docs/stale.md"
expect 1 '+ | x | 1.00 | 2.00 |' "$here/tables" "$ZENO" --check docs/stale.md
sed 's/^| v | 1 /| v | 2 /' "$tree/docs/made.md" > "$tree/docs/stale.md" # whole numbers are exact
expect 1 'docs/stale.md:15: differs' "$here/tables" "$ZENO" --check docs/stale.md
page '{fall[0]._1:<1e-3}\n' '< 1e-3\n'
expect 1 '+ 1.0e0' "$here/tables" "$ZENO" --check docs/made.md
page '{fall(v=7)._1:g}\n' ''
expect 1 'nothing is' "$here/tables" "$ZENO" --check docs/made.md
page '{order.p:.1f}\n' ''
sed 's/^```sh$/```sh slow/' "$tree/docs/made.md" > "$tree/docs/slow.md"
expect 0 '0 blocks of measured numbers' "$here/tables" "$ZENO" --check --fast docs/slow.md
expect 1 '1 blocks of measured numbers, 1 differ' "$here/tables" "$ZENO" --check docs/slow.md
sed 's/^```sh$/```sh slow long/' "$tree/docs/made.md" > "$tree/docs/slow.md"
expect 0 '0 blocks of measured numbers' "$here/tables" "$ZENO" --check docs/slow.md
expect 1 '1 blocks of measured numbers, 1 differ' "$here/tables" "$ZENO" --check --long docs/slow.md
printf '# A\n| a | 0.25 |\n|---|---|\n| b | 0.5 |\n' > "$tree/docs/loose.md"
expect 1 'docs/loose.md:2: this table has numbers' "$here/tables" --lint docs/loose.md
printf '# A\n<!-- given: by hand -->\n| a | 0.25 |\n|---|---|\n| b | 0.5 |\n## Problem\n| m |\n|---|\n| 0.5 |\n' > "$tree/docs/loose.md"
expect 0 '1 pages, 0 tables' "$here/tables" --lint docs/loose.md
echo "the checks see what they should"

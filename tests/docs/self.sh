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
echo "the checks see what they should"

#!/bin/sh
# docs/model-file.md is what `zeno reference` prints. Environment: ZENO, ROOT, WORK.
set -eu
mkdir -p "$WORK"
"$ZENO" reference > "$WORK/model-file.md"
if ! diff -u "$ROOT/docs/model-file.md" "$WORK/model-file.md"; then
    echo "docs/model-file.md is out of date: zeno reference > docs/model-file.md" >&2
    exit 1
fi

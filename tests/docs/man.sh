#!/bin/sh
# The manual pages are what man/generate makes of the program's help. Environment: ZENO, ROOT, WORK.
set -eu
fresh=$WORK/man
rm -rf "$fresh"
mkdir -p "$fresh" "$WORK/man_stored"
"$ROOT/man/generate" "$ZENO" "$fresh"
rm -f "$WORK"/man_stored/*
cp "$ROOT"/man/*.1 "$WORK/man_stored"
if ! diff -ru "$WORK/man_stored" "$fresh"; then
    echo "the manual pages are out of date: man/generate path/to/zeno man" >&2
    exit 1
fi
if command -v groff > /dev/null; then # does roff understand them?
    for page in "$fresh"/*.1; do
        complaints=$(groff -man -ww -z -Tutf8 "$page" 2>&1)
        [ -z "$complaints" ] || { echo "$complaints" >&2; exit 1; }
    done
fi

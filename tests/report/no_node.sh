#!/bin/sh
# Zeno builds without Node: no command of the build calls it. Environment: BUILD.
set -eu
commands=$(ninja -C "$BUILD" -t commands zeno_cli)
[ -n "$commands" ] || { echo "ninja knows no commands" >&2; exit 1; }
if printf '%s\n' "$commands" | grep -E '(^|[ /])(node|npm|npx|vite)( |$)'; then
    echo "the build calls Node" >&2
    exit 1
fi

#!/bin/sh
# The page that is committed is what `npm run build` makes. Environment: ROOT, HERE, WORK.
set -eu
. "$HERE/lib.sh"
need_node vite
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || skip "Node.js is older than 20"
rm -rf "$WORK"
mkdir -p "$WORK"
cp -r "$ROOT/report/src" "$ROOT/report/report.html" "$ROOT/report/package.json" "$ROOT/report/tsconfig.json" \
    "$ROOT/report/vite.config.ts" "$WORK"
ln -s "$ROOT/report/node_modules" "$WORK/node_modules"
cd "$WORK"
npm run --silent check
npm run --silent build
cmp dist/report.html "$ROOT/report/dist/report.html" || {
    echo "report/dist/report.html is out of date: (cd report && npm ci && npm run build)" >&2
    exit 1
}
echo "1 passed, 0 failed"

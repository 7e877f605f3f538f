#!/bin/sh
# The reports in Firefox, where it is installed. Environment: ROOT, HERE, PAGES.
set -eu
. "$HERE/lib.sh"
command -v node >/dev/null || skip "Node.js is not installed (Debian: nodejs)"
need_firefox
if node -e 'process.exit(typeof WebSocket === "function" ? 0 : 1)'; then exec node "$HERE/firefox.mjs" "$PAGES"; fi
node --experimental-websocket -e 0 2>/dev/null || skip "this Node.js has no WebSocket (22 has, 20 can)"
exec node --no-warnings --experimental-websocket "$HERE/firefox.mjs" "$PAGES"

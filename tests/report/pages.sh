#!/bin/sh
# The reports in Chromium. Environment: ROOT, HERE, PAGES.
set -eu
. "$HERE/lib.sh"
need_node playwright-core
need_chromium
exec node "$HERE/pages.mjs" "$PAGES"

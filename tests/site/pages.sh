#!/bin/sh
# Every page of the site in Chromium. Environment: ROOT, HERE, WORK.
set -eu
. "$ROOT/tests/report/lib.sh"
need_site
need_node playwright-core
need_chromium
exec node "$HERE/pages.mjs" "$WORK/site"

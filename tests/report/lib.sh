# What the tests of the report need: Node, Chromium, the packages of report/. Sourced; $ROOT is the source folder.
# A test whose needs are missing says which and ends with 77, which CTest counts as skipped.
skip() {
    echo "skipped: $*"
    exit 77
}

need_node() {
    command -v node >/dev/null || skip "Node.js is not installed (Debian: nodejs)"
    [ -d "$ROOT/report/node_modules/$1" ] || skip "report/node_modules lacks $1 (make test-deps, or npm ci in report/)"
}

need_chromium() {
    CHROMIUM=$(command -v chromium || command -v chromium-browser || true)
    [ -n "$CHROMIUM" ] || skip "Chromium is not installed (Debian: chromium)"
    export CHROMIUM
}

need_firefox() {
    FIREFOX=$(command -v firefox-esr || command -v firefox || true)
    [ -n "$FIREFOX" ] || skip "Firefox is not installed (Debian: firefox-esr)"
    command -v Xvfb >/dev/null || skip "Xvfb is not installed (Debian: xvfb): Firefox has no WebGL without a display"
    export FIREFOX
}

need_site() {
    command -v cmark-gfm >/dev/null || skip "cmark-gfm is not installed (Debian: cmark-gfm)"
    "$PYTHON" -c 'import PIL' 2>/dev/null || skip "Pillow is not installed (Debian: python3-pil)"
}

# Runs a Python program with the package of the source tree and the library that was built.
# Environment: PYTHON, LIBRARY, ROOT, ZENO; PRELOAD: the runtime of the sanitizers, which must come before Python.
set -u
if ! "$PYTHON" -c 'import numpy' 2>/dev/null; then
    echo "python3-numpy is not installed: the Python package is not tested"
    exit 77
fi
PYTHONPATH=$ROOT/python PYTHONDONTWRITEBYTECODE=1 ZENO_LIBRARY=$LIBRARY MPLCONFIGDIR=${TMPDIR:-/tmp} \
    exec env ${PRELOAD:+LD_PRELOAD="$PRELOAD" ASAN_OPTIONS=detect_leaks=0} "$PYTHON" "$@"

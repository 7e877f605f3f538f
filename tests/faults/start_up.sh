# start_up.sh PROGRAM MODEL: libraries that few runs need are loaded by those; where one is not there, that is told.
set -u
zeno=$1 model=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
LD_TRACE_LOADED_OBJECTS=1 "$zeno" >loaded
count=$(wc -l <loaded)
[ "$count" -gt 5 ] && [ "$count" -lt 55 ] || { echo "$count libraries are loaded at the start"; bad=1; }
grep -E 'cairo|X11|mumps|blas|gfortran' loaded && { echo 'they are loaded at the start'; bad=1; }
"$zeno" run "$model" -q -o ball.h5 || exit 1
"$zeno" plot ball.h5 -y t -o figure.png >out || { echo 'no figure'; bad=1; }
mkdir broken
echo nothing >broken/libcairo.so.2
LD_LIBRARY_PATH=$work/broken "$zeno" plot ball.h5 -y t -o other.png >out 2>err
[ $? = 2 ] && grep -q 'libcairo.so.2: ' err || { echo 'a library that is broken is not told'; cat err; bad=1; }
[ ! -e other.png ] && [ ! -e other.png.part ] || { echo 'half a figure is left'; bad=1; }
LD_LIBRARY_PATH=$work/broken "$zeno" plot ball.h5 -y t -o other.svg >out || { echo 'a drawing in SVG needs no library'; bad=1; }
exit $bad

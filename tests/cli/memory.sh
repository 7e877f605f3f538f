# Freed memory is not used, by the libraries either: what is freed is overwritten at once, by the address sanitizer or by
# the C library, so that a pointer read from it leads nowhere.
. "$HERE/lib.sh"
cp "$HERE/ball.yaml" ball.yaml
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}:max_free_fill_size=65536:free_fill_byte=165"
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=165

expect 0 "$ZENO" run ball.yaml -q --until 0.5 -o ball.h5
exists ball.h5
absent ball.h5.part
expect 0 "$ZENO" run ball.yaml -q --restart ball.h5 -o longer.h5
expect 0 "$ZENO" info longer.h5
expect 0 "$ZENO" export longer.h5 --xdmf=ball.xdmf
exists ball.xdmf.h5
expect 0 "$ZENO" export longer.h5 --csv=ball.csv
expect 0 "$ZENO" plot longer.h5 --y height -o ball.png
expect 0 "$ZENO" view longer.h5 --no-open -o ball.html
# more contacts of one body than there is memory for their matrix: told at once, not found out page by page
awk '$1 == "MemTotal:" { n = int(sqrt($2 * 1024 / 40)) + 1000 } END { print "zeno: 1\nplanar: true\nbodies: {b: {mass: 1}}\ncontacts:"
    for (i = 0; i < n; i++) print "  c" i ": {point: b, surface: {plane: [0, 1]}}"
    print "run: {scheme: moreau_jean, step: 0.1, until: 0.2}" }' /proc/meminfo >many.yaml
for scheme in moreau_jean nsga; do
    expect 3 timeout -s KILL 60 "$ZENO" check many.yaml --scheme $scheme
    err_has 'out of memory'
done
# no more is promised than the machine has (sanitizers want more)
if ! nm -D "$ZENO" 2>/dev/null | grep -q __asan; then
    "$ZENO" run ball.yaml -q --no-output --step 1e-7 --until 1000 &
    run=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do
        grep -q 'Max data size *[0-9]' /proc/$run/limits && break
        sleep 0.1
    done
    most=$(awk '/Max data size/ { print $4 }' /proc/$run/limits)
    kill -9 $run
    awk -v most="$most" '$1 == "MemTotal:" { exit !(most + 0 > 0.8e3 * $2 && most < 1.02e3 * $2) }' /proc/meminfo || complain "it may have $most bytes"
fi
# a full disk closes the file in good order, too
(ulimit -f 100 && "$ZENO" run ball.yaml -q --until 20 -o full.h5) >"$WORK/out" 2>"$WORK/err" </dev/null
[ $? -eq 2 ] || complain 'a run without space does not end with 2'
err_has 'File too large'
finish

# Results that someone means harm with: every verb that reads them ends in good order, and shows nothing of other files.
# tests/test_hostile.c has many more of them; here is the program around the library.
. "$HERE/lib.sh"
cp "$HERE/ball.yaml" ball.yaml
expect 0 "$ZENO" run ball.yaml -q --until 0.6 -o good.h5
echo 'root:x:0:0:a secret that is long enough for whatever is read of it, and then some more of it up to the very end.......' >secret

harm() { # WHERE KIND: as hostile_files.h names and numbers them
    cp good.h5 hurt.h5
    "$MAKE_HOSTILE" hurt.h5 "$@" "$PWD/secret" || complain "make_hostile $*"
    rm -f page.html figure.svg table.csv
    for verb in info 'info --events' 'info --json' 'plot -o figure.svg' 'export --csv=table.csv' 'view --no-open -o page.html' \
        'run ball.yaml -q --no-output --restart'; do
        # HDF5 loses memory over damaged files
        ASAN_OPTIONS=detect_leaks=0 timeout -s KILL 60 "$ZENO" $verb hurt.h5 >out 2>err </dev/null
        status=$?
        [ $status -le 3 ] && ! grep -q 'Sanitizer\|runtime error' err || complain "$1 of kind $2: '$verb' ends with $status"
        grep -q 'root:x:0' out err page.html figure.svg table.csv 2>/dev/null && complain "$1 of kind $2: '$verb' shows a secret"
    done
}
harm .@format 0      # many numbers
harm .@title 3       # a text without an end
harm parameters@e 1  # a table
harm series/velocity@unit 5 # many texts
harm certificate/penetration_contact 4
harm events 8        # a compound of other things
harm model 13        # external storage
harm model 16        # external link
harm series/velocity 12 # very many columns

# a result of two coordinates whose model says that it has millions: not built to find that out
large() { # LINES
    cp good.h5 hurt.h5
    { printf 'zeno: 1\n%s\n' "$1"; sed 1,2d ball.yaml; } >large.yaml
    "$MAKE_HOSTILE" hurt.h5 model text large.yaml || complain 'make_hostile model'
    expect 0 timeout -s KILL 20 "$ZENO" view hurt.h5 --no-open -o page.html
    err_has 'such a small result is of one with at most'
}
large 'materials: {s: {young: 1e9, density: 1000, poisson: 0.3}}
parts: {rod: {element: bar, area: 1, material: s, from: [0, 0], to: [1, 0], elements: 3000000}}'
large 'materials: {s: {young: 1e9, density: 1000, poisson: 0.3}}
parts: {r: {element: solid, material: s, mesh: {rectangle: {from: [0, 0], to: [1, 1], elements: [900, 900]}}}}'
finish

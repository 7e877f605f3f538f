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

# What steers a terminal is shown as '?', whatever file or name it comes from.
shows_tamed() { # COMMAND...: whatever its status is
    "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
    LC_ALL=C grep -q "$(printf '\033\\|\302\233\\|\342\200\256\\|\377')" out err && complain "'$*' steers the terminal"
    grep -q '?' out err || complain "'$*' says nothing of it"
}
steering=$(printf 'b\033[31m\302\233\342\200\256\377')

# rows of a study that failed, that lack a measure, whose error is not known
study() { # TEXT OPTIONS...: TEXT is in the message of its one row
    text=$1
    shift
    rm -f one.study
    "$ZENO" "$@" --resume one.study >out 2>err </dev/null
    "$MAKE_HOSTILE" one.study "$text" study - || complain "make_hostile $*"
    for format in '' '--csv -' --json; do
        shows_tamed "$ZENO" "$@" $format --resume one.study
    done
}
study 'run: until' sweep ball.yaml --vary until=-2 --measure penetration
study "'floor' has" sweep ball.yaml --vary until=0.1 --measure 'duration(floor,2)'
study 'run: step' converge ball.yaml --steps 0.1:0.01:1 --of height --until 1e-9
study 'window' converge ball.yaml --steps 0.1:0.01:1 --of height --until 0.2 --window 5:6

# names of files, folders, of problems of a gallery and of what is to be drawn
mkdir "$steering"
cp ball.yaml "$steering/$steering.yaml"
file=$steering/$steering
sed /title/d ball.yaml >"$file.yaml"
shows_tamed "$ZENO" check "$file.yaml"
shows_tamed "$ZENO" run "$file.yaml" --until 0.1 -o "$file.h5"
shows_tamed "$ZENO" run "$file.yaml" --until 0.1 --no-output --json
shows_tamed "$ZENO" info "$file.yaml"
shows_tamed "$ZENO" info "$file.h5"
shows_tamed "$ZENO" info --json "$file.h5"
shows_tamed "$ZENO" modes "$file.yaml" -o "$file.modes.h5"
shows_tamed "$ZENO" plot "$file.h5" -o "$file.svg"
shows_tamed "$ZENO" view "$file.h5" --no-open -o "$file.html"
shows_tamed "$ZENO" solve "$file.h5"
shows_tamed "$ZENO" import "$file.stl"
mkdir -p "gallery/$steering"
sed s/Bouncing// ball.yaml >"gallery/$steering/model.yaml"
printf 'id,options,measure,expected,tolerance,source\n%s,,final(%s),1,1,%s\n' "$steering" "$steering" "$steering" >"gallery/$steering/reference.csv"
shows_tamed env ZENO_GALLERY="$PWD/gallery" "$ZENO" gallery
shows_tamed env ZENO_GALLERY="$PWD/gallery" "$ZENO" gallery --verify

# what a model file cannot tell is no name to import from; names of any length are
printf 'solid a\n' >"$(printf 'two\nlines.stl')"
expect 2 "$ZENO" import "$(printf 'two\nlines.stl')" -o lines.yaml
err_has 'a model file cannot tell such a name'
absent lines.yaml
long=$(printf '%0200d' 0)
cp "$HERE/import/meshes/tetra.stl" "$long.stl"
expect 0 "$ZENO" import "$long.stl" -o long.yaml
expect 0 "$ZENO" check long.yaml
finish

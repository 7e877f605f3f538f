# Files that are written: never through a link that was laid in the way, never over what was there before the new file is
# whole.
. "$HERE/lib.sh"
cp "$HERE/ball.yaml" ball.yaml
expect 0 "$ZENO" run ball.yaml -q -o ball.h5
mkdir frames
echo precious >victim
cp victim victim.copy

kept() { cmp -s victim victim.copy || complain "the target of a link has changed: $*"; }

# refuse NAME COMMAND...: with a link of that name
refuse() {
    name=$1
    shift
    ln -s "$PWD/$target" "$name"
    expect 2 "$ZENO" "$@"
    err_has "symbolic link"
    kept "$@"
    absent nothing
    [ -L "$name" ] || complain "'$*' has removed the link"
    rm -f "$name"
}
target=nothing
refuse new.h5.part run ball.yaml -q -o new.h5
refuse new.csv export ball.h5 --csv=new.csv
refuse new.csv.part export ball.h5 --csv=new.csv
target=victim
refuse new.h5.part run ball.yaml -q -o new.h5
refuse new.h5 run ball.yaml -q -o new.h5
refuse new.h5.part.new run ball.yaml -q --until 2 --restart ball.h5 -o new.h5
for name in new.csv new.csv.part; do
    refuse $name export ball.h5 --csv=new.csv
    refuse $name sweep ball.yaml --vary e=0,1 --measure penetration --csv=new.csv
    refuse $name converge ball.yaml --steps 0.1:0.05 --of height --csv=new.csv
done
for name in new.svg new.svg.part; do
    refuse $name plot ball.h5 -o new.svg
done
refuse new.png.part plot ball.h5 -o new.png
refuse new.html.part view ball.h5 --no-open -o new.html
refuse frames/scene.pvd.part export ball.h5 --vtu=frames
refuse frames/scene-000000.vtu export ball.h5 --vtu=frames
refuse new.xdmf.part export ball.h5 --xdmf=new.xdmf
refuse new.xdmf.h5.part export ball.h5 --xdmf=new.xdmf
refuse new.xdmf.h5 export ball.h5 --xdmf=new.xdmf
absent new.xdmf
absent new-contacts.xdmf

# what an ended run left is replaced, not written to: it may have another name
ln victim new.csv.part
expect 0 "$ZENO" export ball.h5 --csv=new.csv
kept 'csv, by another name'
absent new.csv.part
ln victim new.h5.part
expect 0 "$ZENO" run ball.yaml -q -o new.h5
kept 'result, by another name'
absent new.h5.part

# a full disk leaves the old file, and nothing else
full() { # NAME COMMAND...
    name=$1
    shift
    for blocks in $space; do
        cp victim "$name"
        (trap '' XFSZ && ulimit -f $blocks && "$ZENO" "$@") >"$WORK/out" 2>"$WORK/err" </dev/null
        [ $? -eq 2 ] || complain "'$*' without space does not end with 2"
        err_has "$name"
        err_has 'File too large'
        cmp -s "$name" victim || complain "'$*' without space has changed $name"
        absent "$name.part"
    done
}
space=8
full full.csv export ball.h5 --csv=full.csv
full full.html view ball.h5 --no-open -o full.html
full full.xdmf.h5 export ball.h5 --xdmf=full.xdmf
full full.svg plot ball.h5 -o full.svg
space='2 8 20 60'
full full.h5 run ball.yaml -q --until 9 -o full.h5
absent full.xdmf
absent full-contacts.xdmf

# a stream that is closed does not become the result: messages of a run that fails would be written into it
sed 's/young: 1e7/young: 1e5/; s/-0.5/-1/g' "$HERE/../faults/crash_levels.yaml" >soft.yaml
for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&- 2>&-'; do
    rm -f closed.h5
    eval '"$ZENO" run soft.yaml -q --until 0.1 -o closed.h5 >/dev/null 2>/dev/null '"$closed"
    [ $? -eq 3 ] || complain "a run with $closed does not end with 3"
    expect 0 "$ZENO" info closed.h5
done
"$ZENO" info closed.h5 >&- 2>"$WORK/err"
[ $? -eq 2 ] || complain 'info without standard output does not end with 2'
err_has 'standard output cannot be written'

# a file is for whom the mask says, and pipes and devices are written as they are
(umask 027 && "$ZENO" export ball.h5 --csv=mode.csv)
[ "$(stat -c %a mode.csv)" = 640 ] || complain "a new file has the mode $(stat -c %a mode.csv)"
mkfifo pipe
"$ZENO" export ball.h5 --csv=pipe &
[ "$(wc -l <pipe)" -eq 1002 ] || complain 'a pipe does not get the table'
wait
"$ZENO" export ball.h5 --csv=/dev/stdout | cmp -s - new.csv || complain '/dev/stdout does not get the table'
finish

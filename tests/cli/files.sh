# Files that are not what they should be: one line that says so, and nothing is lost.
. "$HERE/lib.sh"
cp "$HERE/ball.yaml" ball.yaml
expect 0 "$ZENO" run ball.yaml -q -o ball.zeno.h5
: >empty.h5
echo text >text.h5
head -c 3000 ball.zeno.h5 >cut.h5
mkdir folder
mkfifo pipe

refuse() { # WORDS COMMAND...: in one line, before anything is written
    words=$1
    shift
    expect 2 timeout -s KILL 60 "$ZENO" "$@"
    err_has "$words"
    [ "$(wc -l <err)" -eq 1 ] || complain "'$*' says more than one line"
    out_empty
}

# results
for verb in view plot 'export --csv' 'run ball.yaml -q --no-output --restart'; do
    refuse 'nothing.h5: No such file' $verb nothing.h5
    refuse 'folder: Is a directory' $verb folder
    refuse 'pipe: not a regular file' $verb pipe
    refuse 'empty.h5: the file is empty' $verb empty.h5
    refuse 'text.h5: not a result file' $verb text.h5
    refuse 'cut.h5: a result file that was cut off or is damaged' $verb cut.h5
    refuse 'ball.yaml: not a result file but a model' $verb ball.yaml
done
refuse 'nothing.json: No such file' view nothing.json
refuse 'pipe: not a regular file' info pipe

# models
for verb in run check 'converge --steps 0.1:0.01 --of height' 'sweep --vary e=0,1 --measure penetration'; do
    refuse 'pipe: not a regular file' $verb pipe
    refuse 'ball.zeno.h5: not a model but HDF5' $verb ball.zeno.h5
done
for file in text.h5 cut.h5; do
    refuse "$file: .*HDF5 file" solve $file
done

# what is written is not what is read, whatever it is called
echo '{"title": "a", "studies": []}' >study.json
cp ball.yaml model.copy
cp ball.zeno.h5 result.copy
cp study.json study.copy
ln ball.zeno.h5 other.html
for page in ball.zeno.h5 ./ball.zeno.h5 other.html study.json; do
    refuse 'would destroy' view ball.zeno.h5 study.json --no-open -o $page
done
refuse 'would destroy' export ball.zeno.h5 --csv folder/../ball.zeno.h5
refuse 'would destroy' run ball.yaml -q -o ball.yaml
for verb in 'converge --steps 0.1:0.01 --of height' 'sweep --vary step=0.1,0.01 --measure penetration'; do
    refuse 'would destroy' $verb ball.yaml --csv ball.yaml
    # found out before the runs
    refuse 'No such file' $verb ball.yaml --csv /nonexistent/x.csv
    refuse 'Is a directory' $verb ball.yaml --csv folder
    refuse '.svg or .png' $verb ball.yaml --plot x.pdf
    refuse 'No such file' $verb ball.yaml --plot /nonexistent/x.svg
done
refuse 'ball.yaml: not a folder' export ball.zeno.h5 --vtu ball.yaml
cmp -s ball.yaml model.copy || complain 'the model has changed'
cmp -s ball.zeno.h5 result.copy || complain 'the result has changed'
cmp -s study.json study.copy || complain 'the study has changed'
finish

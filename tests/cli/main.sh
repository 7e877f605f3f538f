# Verbs, help, version.
. "$HERE/lib.sh"

expect 0 "$ZENO" --version
out_has '^zeno [0-9]*\.[0-9]*\.[0-9]*$'
expect 0 "$ZENO" --help
out_has 'usage: zeno VERB'
out_has 'gallery'
expect 2 "$ZENO"
err_has 'usage: zeno VERB'
out_empty
expect 2 "$ZENO" rum
err_has "error: unknown verb 'rum'; did you mean 'run'?"
expect 2 "$ZENO" something
err_has "error: unknown verb 'something'"
expect 2 "$ZENO" --something
err_has "error: unknown option '--something'"
expect 2 "$ZENO" model.yaml
err_has 'zeno run model.yaml'
expect 2 "$ZENO" model.zeno.h5
err_has 'zeno view model.zeno.h5'
for verb in run check info plot export converge sweep gallery reference help; do
    expect 0 "$ZENO" help $verb
    out_has "usage: zeno $verb"
    out_has 'example'
    expect 0 "$ZENO" $verb --help
    out_has "usage: zeno $verb"
    err_empty
done
expect 0 "$ZENO" run --help
out_has 'combined_projection '
expect 2 "$ZENO" help nothing
expect 0 "$ZENO" reference
out_has 'restitution'
expect 0 "$ZENO" reference bodies
out_has '## bodies: draw'
grep -q '^## joints' "$WORK/out" && complain 'another section is printed, too'
expect 0 "$ZENO" reference play quantities
out_has '## joints: play'
out_has '## recordable quantities'
expect 2 "$ZENO" reference bodis
err_has "did you mean 'bodies'"
expect 2 "$ZENO" reference bodies more
# each section stands there once
"$ZENO" reference | grep '^##' | sort | uniq -d >doubled
[ ! -s doubled ] || complain "sections that are there twice: $(cat doubled)"
# a full disk is told, by the overview and the version, too
for words in help --help --version 'help run' reference; do
    sh -c "$ZENO $words >/dev/full" 2>err && complain "'zeno $words' did not see that the disk is full"
    err_has 'standard output cannot be written'
done
finish

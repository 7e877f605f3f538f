# zeno plot: figures, expressions, bad arguments.
. "$HERE/lib.sh"
MODEL=$HERE/ball.yaml

expect 0 "$ZENO" run "$MODEL" -q --step 5e-3 --set deepest=1
expect 0 "$ZENO" run "$MODEL" -q --step 5e-3 --scheme combined_projection -o other.zeno.h5

# well_formed FILE: XML with the right root
well_formed() {
    exists "$1"
    command -v python3 >/dev/null || return 0
    python3 -c 'import sys, xml.dom.minidom as x
assert x.parse(sys.argv[1]).documentElement.tagName == "svg"' "$1" || complain "$1 is not SVG"
}

# png FILE WIDTH HEIGHT
png() {
    exists "$1"
    [ "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" = 89504e470d0a1a0a ] || complain "$1 is not PNG"
    [ "$(od -An -tu1 -j18 -N2 "$1" | awk '{print 256*$1 + $2}')" = "$2" ] || complain "$1 is not $2 wide"
    [ "$(od -An -tu1 -j22 -N2 "$1" | awk '{print 256*$1 + $2}')" = "$3" ] || complain "$1 is not $3 high"
}

expect 0 "$ZENO" plot ball.zeno.h5
out_has 'figure in ball.svg'
well_formed ball.svg
grep -q '>height \[m\]<' ball.svg || complain 'ball.svg lacks the label'
grep -q '>Bouncing ball<' ball.svg || complain 'ball.svg lacks the title'

expect 0 "$ZENO" plot ball.zeno.h5 -y height --panel -y velocity.y -y '2*height' --panel -y energy.kinetic \
    -y energy.gravity -o three.svg --title 'a < b & "c"' --window 0.1:0.9
well_formed three.svg
[ "$(grep -c clipPath three.svg)" -eq 3 ] || complain 'three.svg does not have three panels'
grep -q 'a &lt; b &amp; &quot;c&quot;' three.svg || complain 'the title is not escaped'
expect 0 "$ZENO" plot ball.zeno.h5 -y height -y 'exact = t <= 0.3 && t >= 0 && 1 == 1 ? 1 - t*t : 0' -o named.svg
grep -q '>exact<' named.svg || complain 'named.svg lacks the name of the curve'
expect 0 "$ZENO" plot ball.zeno.h5 other.zeno.h5 -y height -y 'twice = 2*height' -o named.svg
grep -q '>twice, other' named.svg || complain 'named.svg lacks the names of curve and file'
expect 2 "$ZENO" plot ball.zeno.h5 -y 'nothing =' -o named.svg
expect 0 "$ZENO" plot ball.zeno.h5 -x height -y velocity.y -o portrait.png --size 500x400
png portrait.png 500 400
expect 0 "$ZENO" plot ball.zeno.h5 other.zeno.h5 -y '1e3*height' --ylabel 'height [mm]' --xlabel time -o both.svg
well_formed both.svg
grep -q 'other (combined_projection)' both.svg || complain 'the legend lacks the scheme'
grep -q '>height \[mm\]<' both.svg || complain 'both.svg lacks its label'
expect 0 "$ZENO" plot ball.zeno.h5 -x t+1 -y 'abs(velocity.y) + 1e-3' --logx --logy -o log.png
exists log.png

# ranges of axes; --yrange '' leaves a panel to its values
expect 0 "$ZENO" plot ball.zeno.h5 -y 'height + 20' --panel -y velocity.y --yrange '' --yrange=-2:7 --xrange 0.2:0.6 -o zoom.svg
well_formed zoom.svg
grep -q '>0.60<\|>0.6<' zoom.svg || complain 'zoom.svg does not end at 0.6'
! grep -q '>1.0<' zoom.svg || complain 'zoom.svg shows more than was asked for'
for range in 1 2:1 a:b; do
    expect 2 "$ZENO" plot ball.zeno.h5 -y height --yrange $range -o never.svg
    err_has "option '--yrange'"
done
expect 2 "$ZENO" plot ball.zeno.h5 -y height --logy --yrange=-1:1 -o never.svg
err_has 'in decades'
expect 2 "$ZENO" plot ball.zeno.h5 -y height --xrange 3 -o never.svg
absent never.svg

# surfaces: expressions, or all columns of a record
expect 0 "$ZENO" plot ball.zeno.h5 --surface -y height -y '2*height' -y velocity.y --places 0:0.5 --ylabel 'v [m/s]' \
    --ylabel 'x [m]' -o surface.svg
well_formed surface.svg
grep -q '>x \[m\]<' surface.svg || complain 'surface.svg lacks the label of the place'
expect 0 "$ZENO" plot ball.zeno.h5 --surface -y energy -o surface.png --size 500x400
png surface.png 500 400
expect 2 "$ZENO" plot ball.zeno.h5 --surface -y height -o never.svg
err_has 'at least 2'
expect 2 "$ZENO" plot ball.zeno.h5 other.zeno.h5 --surface -y energy -o never.svg
err_has 'one result'
expect 2 "$ZENO" plot ball.zeno.h5 --surface -y height --panel -y height -o never.svg
expect 2 "$ZENO" plot ball.zeno.h5 --surface -y height -y nothing -o never.svg
err_has "there is no record 'nothing'"
absent never.svg

# bad arguments
expect 2 "$ZENO" plot
err_has 'which result'
expect 2 "$ZENO" plot nothing.h5
expect 2 "$ZENO" plot ball.zeno.h5 -y hight -o never.svg
err_has "'hight': there is no record 'hight'.*did you mean 'height'"
absent never.svg
expect 0 "$ZENO" plot ball.zeno.h5 -y velocity --panel -y height -y velocity.x -o vector.svg # all components
grep -q '>velocity.x \[m/s\]<' vector.svg && grep -q '>velocity.y \[m/s\]<' vector.svg || complain 'vector.svg lacks a component'
grep -q '>velocity \[m/s\]<' vector.svg || complain 'vector.svg lacks the name of the vector'
expect 2 "$ZENO" plot ball.zeno.h5 -y '2*velocity'
err_has 'components x y.*say which'
expect 2 "$ZENO" plot ball.zeno.h5 -y 'height +* 2'
err_has 'unexpected operator'
expect 2 "$ZENO" plot ball.zeno.h5 -x nothing
expect 2 "$ZENO" plot ball.zeno.h5 --panel
err_has 'a panel needs'
expect 2 "$ZENO" plot ball.zeno.h5 --panel=2
err_has 'takes no value'
expect 2 "$ZENO" plot ball.zeno.h5 --window 5:6
err_has 'no row to show in the window'
expect 2 "$ZENO" plot ball.zeno.h5 --window 6:5
for size in 10 axb 0x5 -3x4 100x100x100; do
    expect 2 "$ZENO" plot ball.zeno.h5 --size $size
    err_has "option '--size'"
done
expect 2 "$ZENO" plot ball.zeno.h5 --size 100x20 -o small.svg
err_has 'do not fit'
absent small.svg
expect 2 "$ZENO" plot ball.zeno.h5 -o picture.jpg
err_has '.svg or .png'
expect 2 "$ZENO" plot ball.zeno.h5 -o /nonexistent/x.svg
err_has 'No such file'
finish

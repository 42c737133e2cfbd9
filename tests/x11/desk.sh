#!/bin/sh
# The viewer among other programs: what is selected can be pasted, the layout
# comes back at the next start, dots of other sizes, storms of new sizes.
set -u
. "$(dirname "$0")/lib"
keep_config=1
paste=$BUILD/tests/x11/paste
command -v xdotool >/dev/null || skip "no xdotool"
start_x
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
conf=$XDG_CONFIG_HOME/orrery/viewer.conf
begin() {
	start_viewer "$@" "$dir/run.orr"
	say wait read
	wait_for 20 "the file" is finished 1
	focus
}
finish() {
	say quit
	gone
	[ $code = 0 ] || fail "ends with $code"
}
pastes() { "$paste" "$1" | grep -q "$2"; }

begin
say select-task 1418
say copy
wait_for 10 "the task in the clipboard" pastes CLIPBOARD "^task.*1418"
xdotool mousemove 340 192 click 1
wait_for 10 "the row as PRIMARY" is_not selected-row -1

wait_for 10 "the row as PRIMARY" pastes PRIMARY '^from\|^level\|^spans'
pastes CLIPBOARD "^task.*1418" || fail "the clipboard is empty"

# as text, and as nothing else
"$paste" CLIPBOARD TARGETS >"$dir/targets" || fail "no targets"
grep -qx UTF8_STRING "$dir/targets" || fail "no text is offered"
"$paste" CLIPBOARD image/png >/dev/null && fail "a picture is given"

# the menu of a right click, by mouse and by keyboard
xdotool mousemove 600 300 click 3
wait_for 10 "the menu" is menu 1
xdotool key Down key Down key Escape
wait_for 10 "no menu" is menu 0

# what another client sends is not done: no menu, no help, nothing exported
"$BUILD/tests/x11/send" "$id" e F1 || fail "send"
xdotool key w
wait_for 10 "what is done by hand behind that" is_not fit 1
is menu 0 || fail "a button that was sent opens the menu"
is help 0 || fail "a key that was sent opens the help"
[ ! -e orrery.png ] || fail "a key that was sent writes a picture"
xdotool key 0
wait_for 10 "all in sight" is fit 1
xdotool mousemove 60 192 click 3
wait_for 10 "the menu" is menu 1
xdotool mousemove 100 222 click 1
wait_for 10 "a pinned row" is pinned 1

# sizes like hail; in the end it is drawn as ever
seed=7
for i in $(seq 60); do
	seed=$(((seed * 75 + 74) % 65537))
	xdotool windowsize "$id" $((480 + seed % 1100)) $((320 + seed / 7 % 680))
	[ $((i % 7)) != 0 ] || xdotool key w key s key h
done
xdotool windowsize "$id" 1200 800
wait_for 20 "the last size" is size 1200x800
say level threads
say "snapshot $dir/now.png"
wait_for 10 "the snapshot" test -s "$dir/now.png"
wait_for 10 "equal pixels" "$grab" "$id" "$dir/now.png"

# remembered
say split 400 700
say theme light
say tab Stacks
wait_for 10 "another tab" is tab Stacks
xdotool key ctrl+p
wait_for 10 "the omnibox" is prompt ">"
xdotool type "arrange save mine"
xdotool key Return
wait_for 10 "an arrangement" is arrangements mine
say tab Details
finish
grep -q "^split 400 700" "$conf" || fail "nothing was remembered"
begin
wait_for 10 "the split" is split 400,700
is tab Details || fail "the tab was forgotten"
say arrange mine
wait_for 10 "the arrangement" is tab Stacks
wait_for 10 "the size" is size 1200x800
finish

# a file that makes no sense: one line, and as at first
printf 'split 100 200\ntab Attic\n' >"$conf"
begin
is split 552,812 || fail "half of a bad file was used"
finish
[ "$(grep -c 'viewer.conf:2: ' "$dir/err")" = 1 ] || fail "not one line"
[ "$(wc -l <"$dir/err")" = 1 ] || fail "more than one line"
grep -q "^tab Attic" "$conf" || fail "a file to be mended was written over"
rm "$conf"

# finer dots: the same picture, twice as large
begin --scale 2 --size 1200x800
wait_for 10 "half of the size" is size 600x400
say "snapshot $dir/small.png"
wait_for 10 "the snapshot" test -s "$dir/small.png"
xdotool mousemove 1000 200
wait_for 10 "a frame" is_not frame 1
finish
echo "Xft.dpi: 192" | xrdb -merge 2>/dev/null && {
	begin --size 1200x800
	wait_for 10 "half of the size by Xft.dpi" is size 600x400
	finish
}
echo ok

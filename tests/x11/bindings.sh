#!/bin/sh
# Every key of the table and every use of the mouse in it, through a real
# server: afterwards all is as after the command that it stands for, state and
# pixels, and not as before.  What is in the table and not known here fails.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
cd "$dir" || exit 1
"$viewer" --print bindings >bindings || fail "no bindings"
tab=$(printf '\t')

# before COMMAND: what must be so that it does something
before() {
	case $1 in
	back) echo "range 5ms:9ms" ;;
	forward) printf 'range 5ms:9ms\nrange 6ms:8ms\nback\n' ;;
	scroll-down | page-down | last-row) echo "row-height 60" ;;
	scroll-up | page-up | first-row) printf 'row-height 60\nlast-row\n' ;;
	end | step-* | skip-*) echo "seek 20ms" ;;
	fit-all) echo "range 5ms:9ms" ;;
	fit | copy | clear | quit | source) echo "select-task 1418" ;;
	previous-state | next-state | to-* | causes)
		printf 'search mergesort  PO 5\ncursor 20ms\n' ;;
	open) printf 'next-row\nnext-row\n' ;;
	pin | hide) printf 'next-row\nnext-row\nnext-row\n' ;;
	hide-quiet) echo "range 0ns:1us" ;;
	show-all) printf 'next-row\nnext-row\nnext-row\nhide\n' ;;
	unmark) echo "marker 5ms" ;;
	*-annotation) printf 'annotate 5ms x\nannotate 15ms y\n' ;;
	card) echo "select-task 1418" ;;
	card-next) printf 'card task 5\ncard task 1418\n' ;;
	card-show) printf 'card task 1418\nrange 0ns:1us\n' ;;
	card-*) printf 'card task 5\ncard task 1418\n' ;;
	*-marker) printf 'marker 5ms\nmarker 15ms\ncursor 10ms\n' ;;
	"colour PE") echo "colour time" ;;
	"put left") echo "put lanes right" ;;
	tree) echo "tree all" ;;
	weigh) echo "tree-of calls" ;;
	up | parent) printf 'select-task 300\nreroot\n' ;;
	reset-tree) echo "centre 1200 300" ;;
	next) echo "search bigP" ;;
	previous) printf 'search bigP\nnext\n' ;;
	play | fast-forward) echo "speed 0.001" ;;
	esac
}
# what a playback does depends on the time: only that it plays is compared
timeless() {
	sed 's/ frame=[0-9]*//; s/^frame=[0-9]* //
	    / playing=1/s/.*\( playing=1\).*\( fast=[01]\).*/\1\2/'
}

# the uses of the mouse: what xdotool does, and the script's word for it
M="mousemove --sync"
gesture() { # NAME xdotool|script
	case $1.$2 in
	"click.xdotool") echo "$M 340 192 click 1" ;;
	"click.script") echo "click 340 192" ;;
	"double click.xdotool") echo "$M 340 192 click --repeat 2 --delay 40 1" ;;
	"double click.script") echo "doubleclick 340 192" ;;
	"left drag.xdotool") echo "$M 400 400 mousedown 1 $M 500 410 $M 600 420 mouseup 1" ;;
	"left drag.script") echo "drag 400 400 600 420 1" ;;
	"shift+left drag.xdotool")
		echo "$M 400 400 keydown shift mousedown 1 $M 450 400 $M 500 400 mouseup 1 keyup shift" ;;
	"shift+left drag.script") echo "drag 400 400 500 400 1 1" ;;
	"middle drag.xdotool") echo "$M 400 400 mousedown 2 $M 450 400 $M 500 400 mouseup 2" ;;
	"middle drag.script") echo "drag 400 400 500 400 2" ;;
	"middle click.xdotool") echo "$M 1100 300 click 2" ;;
	"middle click.script") echo "click 1100 300 2" ;;
	"right click.xdotool") echo "$M 600 300 click 3" ;;
	"right click.script") echo "click 600 300 3" ;;
	"right drag.xdotool") echo "$M 450 400 mousedown 3 $M 500 400 $M 550 400 mouseup 3" ;;
	"right drag.script") echo "drag 450 400 550 400 3" ;;
	"wheel.xdotool") echo "$M 1200 400 click 4" ;;
	"wheel.script") echo "wheel 1200 400 -1" ;;
	"ctrl+wheel.xdotool") echo "$M 600 400 keydown ctrl click 4 keyup ctrl" ;;
	"ctrl+wheel.script") echo "wheel 600 400 -1 2" ;;
	"shift+wheel.xdotool") echo "$M 600 400 keydown shift click 5 keyup shift" ;;
	"shift+wheel.script") echo "wheel 600 400 1 1" ;;
	"ctrl+shift+wheel.xdotool")
		echo "$M 600 400 keydown ctrl keydown shift click 4 keyup shift keyup ctrl" ;;
	"ctrl+shift+wheel.script") echo "wheel 600 400 -1 3" ;;
	"shift+click.xdotool") echo "$M 700 400 keydown shift click 1 keyup shift" ;;
	"shift+click.script") echo "click 700 400 1 1" ;;
	"ctrl+click.xdotool") echo "$M 700 400 keydown ctrl click 1 keyup ctrl" ;;
	"ctrl+click.script") echo "click 700 400 1 2" ;;
	*) fail "the table has a use of the mouse that is not known here: $1" ;;
	esac
}
before_gesture() {
	case $1 in
	"shift+click") printf 'cursor 10ms\n' ;;
	esac
}

# plan: a line for each: number, then before, then command
n=0
: >script
echo "wait read" >>script
while IFS=$tab read -r kind key command; do
	n=$((n + 1))
	printf 'anew\nmove 500 400\n' >>script
	if [ "$kind" = key ]; then
		before "$command" >before.$n
		[ "$command" != quit ] || command=clear
		printf '%s\n' "$command" >do.$n
	else
		before_gesture "$key" >before.$n
		gesture "$key" script >do.$n
	fi
	cat before.$n >>script
	printf 'wait frame\ntell b%s\n' "$n" >>script
	cat do.$n >>script
	printf 'tell a%s\n' "$n" >>script
done <bindings
"$viewer" --headless --size 1600x1000 --config "$dir/conf.1" --script script \
    --state-fd 3 "$dir/run.orr" 3>told 2>err || fail "the script: $(cat err)"
rm run.orr.notes # as it began
# wanted FILE WORD: the last line before `tell WORD`
wanted() { awk -v w="tell $2" '$0 == w { print last } { last = $0 }' "$1"; }

n=0 idle=
while IFS=$tab read -r kind key command; do
	n=$((n + 1))
	[ "$(wanted told a$n | timeless)" != "$(wanted told b$n | timeless)" ] ||
	    idle="$idle $key"
done <bindings
[ -z "$idle" ] || fail "these do nothing here, prepare them:$idle"

# the same by hand
xkey() { # our names to those of X
	echo "$1" | sed 's/alt+/alt+/; s/^+$/plus/; s/+[+]$/+plus/; s/=$/equal/; s/-$/minus/
	    s/\[$/bracketleft/; s/\]$/bracketright/; s/,$/comma/; s/\.$/period/
	    s/($/parenleft/; s/)$/parenright/; s/<$/less/; s/>$/greater/; s/"$/quotedbl/; s/'\''$/apostrophe/
	    s|/$|slash|; s/:$/colon/; s/?$/question/'
}
open() {
	start_viewer --size 1600x1000 --config "$dir/conf.2" "$dir/run.orr"
	say wait read
	wait_for 20 "the file" is finished 1
	focus
}
told() { grep -q "^tell $1\$" "$dir/state"; }
reached() { [ "$(grep -v ^tell "$dir/state" | tail -n 1 | timeless)" = "$want" ]; }
# prepare N: as it was in the script, and the pointer there
prepare() {
	say anew
	say move 500 400
	while read -r line; do
		say "$line"
	done <"$dir/before.$1"
	say wait frame
	say "tell p$1.$2"
	wait_for 20 "preparing $1" told "p$1.$2"
}
do_it() { # KIND KEY
	if [ "$1" = key ]; then
		xdotool key --delay 0 "$(xkey "$2")"
	else
		xdotool $(gesture "$2" xdotool)
	fi
}
start_x
keep_config=1
xdotool mousemove 500 400
open
n=0
while IFS=$tab read -r kind key command; do
	n=$((n + 1))
	want=$(wanted told a$n | timeless)
	# from elsewhere: --sync waits 15 s for a pointer that is there already
	xdotool mousemove 500 400
	prepare $n 1
	do_it "$kind" "$key"
	if [ "$command" = quit ]; then
		gone
		[ $code = 0 ] || fail "$key ends with $code"
		wait_for 10 "its window to go" no_window
		open
		continue
	fi
	if ! soon reached; then # a key may be lost while the keyboard changes
		echo "$key once more"
		prepare $n 2
		do_it "$kind" "$key"
		wait_for 10 "$key ($command): $want" reached
	fi
done <bindings
say quit
gone
[ $code = 0 ] || fail "ends with $code"
[ ! -s "$dir/err" ] || fail "it had something to say"
echo "$n bindings"

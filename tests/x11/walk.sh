#!/bin/sh
# Every key and every use of the mouse, through a real server: each step says
# what must be different in the state line afterwards.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
start_x
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
cd "$dir" || exit 1
start_viewer "$dir/run.orr"
say wait read
wait_for 20 "the file" is finished 1
focus

# A key that xdotool has to map first may come while the server still tells
# everybody of the new keyboard, and then means nothing: it is pressed again
# when nothing has happened for long.
done_by() {
	soon "$@" || { echo "pressed again"; return 1; }
}

steps=0
# changes NAME COMMAND...: the named value is another one afterwards
changes() {
	name=$1 was=$(state "$1")
	shift
	"$@"
	done_by is_not "$name" "$was" || "$@"
	wait_for 10 "$name to change by: $*" is_not "$name" "$was"
	steps=$((steps + 1))
}
# becomes NAME VALUE COMMAND...
becomes() {
	name=$1 value=$2
	shift 2
	"$@"
	done_by is "$name" "$value" || "$@"
	wait_for 10 "$name=$value by: $*" is "$name" "$value"
	steps=$((steps + 1))
}
# brings FILE COMMAND...
brings() {
	file=$1
	shift
	"$@"
	wait_for 10 "$file by: $*" test -s "$file"
	steps=$((steps + 1))
}
key() { xdotool key "$@"; }
at() { xdotool mousemove "$1" "$2"; }
drag() { # X0 Y0 X1 Y1 BUTTON
	xdotool mousemove "$1" "$2" mousedown "$5" mousemove $((($1 + $3) / 2)) \
	    $((($2 + $4) / 2)) mousemove "$3" "$4" mouseup "$5"
}

# keys of the time view
at 500 400
wait_for 10 "a frame" is_not frame 1
changes range key w
changes range key s
changes range key plus
changes range key minus
changes range key a
changes range key d
changes range key Left
changes range key Right
changes range key w
changes range key d
changes range key bracketleft
changes range key bracketright
becomes fit 1 key 0
becomes grid 0 key g
becomes grid 1 key g
becomes links 0 key i
becomes links 1 key i
changes rows key o
changes rows key o
becomes lanes state key c
becomes lanes procedure key c
becomes size 1600x700 xdotool windowsize "$(window)" 1600 700
changes scroll key Down
becomes scroll 0 key Up
changes scroll key Next
becomes scroll 0 key Prior
becomes size 1600x1000 xdotool windowsize "$(window)" 1600 1000
becomes paused 1 key space
becomes paused 0 key space
becomes follow 1 key l
becomes follow 0 key 0
becomes head 0 key Home
changes head key period
changes head key comma
changes head key parenright
becomes head 0 key parenleft
say speed 0.001
becomes playing 1 key k
becomes playing 0 key space
becomes fast 1 key shift+k
becomes head -1 key End
changes cursor key u
becomes markers 1 key m
becomes prompt '>' key shift+m
xdotool type here
becomes prompt - key Return
at 600 400
changes cursor key u
becomes markers 2 key m
changes cursor key quotedbl
changes cursor key apostrophe
becomes markers 1 key Delete
becomes markers 0 key Delete

# notes: on a range that was dragged over, here, and on a row by the menu
changes selected-range drag 400 400 500 400 1
becomes prompt '>' key shift+a
xdotool type slow
becomes notes 1 key Return
at 450 400
becomes menu 1 xdotool click 3
becomes menu 0 key Escape
changes selected-row key ctrl+Down
becomes prompt '>' key alt+a
xdotool type here
becomes notes 2 key Return
[ "$(grep -c '^note .* row [0-9]* .*here' run.orr.notes)" = 1 ] || fail "$(cat run.orr.notes)"
becomes notes 1 key alt+Delete
becomes notes 0 key alt+Delete
becomes selected-row -1 key Escape
changes selected-row key ctrl+Down
changes cursor key ctrl+Left
changes cursor key ctrl+Right
becomes selected-row -1 key Escape
changes pixels key v

# rows
at 500 400
changes selected-row key ctrl+Down
changes selected-row key ctrl+Down
changes selected-row key ctrl+Down
becomes pinned 1 key p
becomes pinned 0 key p
was=$(state selected-row)
becomes hidden 1 key x
becomes hidden 0 key shift+x
becomes selected-row -1 key Escape
changes selected-row key ctrl+Up
becomes sort name key t
becomes sort first key t
becomes sort busy key t
becomes sort number key t
changes rows key h
changes rows key h
changes rows key h
changes rows key h
say level threads
becomes prompt '>' key shift+f
xdotool type 'PE 1'
changes hidden key Return
becomes hidden 0 key shift+x
becomes selected-row -1 key Escape

# the tree's colourings
becomes colour time key 2
becomes colour PE-time key 3
becomes colour procedure key 4
becomes colour state key 5
becomes colour PE key 1
becomes form sunburst key 6
becomes form icicle key 6
becomes form polygons key 6
becomes order time key 7
becomes order path key 7
becomes scale cividis key 8
becomes scale spectrum key 8
becomes scale viridis key 8
becomes rings all key 9
becomes rings some key 9
becomes values 0 key j
becomes values 1 key j
becomes tree -1 say tree all
becomes tree 0 key b
say select-task 300
becomes root 300 say reroot
say select-task 310
becomes root 310 say reroot
becomes root 300 key BackSpace
changes root key shift+BackSpace
becomes root -1 key BackSpace
at 1200 400
becomes colour time key c
becomes colour PE key 1
changes zoom key w
changes centre key d
changes centre key m
becomes zoom 1.0000 key r
becomes focus tree key Tab
becomes focus dock key Tab
becomes focus time key Tab
becomes focus dock key shift+Tab
becomes tab Communication key y

at 500 400
changes cursor key u
becomes cursor -1 key Escape
# through all tabs, and again from the first
until is tab Details; do
	[ $steps -lt 200 ] || fail "never at the first tab"
	changes tab key y
done
becomes tab Functions key y
at 1200 400

# omnibox
becomes prompt / key slash
changes pixels xdotool type bigP
becomes prompt - key Return
[ "$(state selected-task)" -ge 0 ] || fail "nothing was found"
first=$(state selected-task)
changes selected-task key n
becomes selected-task "$first" key N
changes range key f
becomes selected-task -1 key Escape
becomes prompt : key colon
xdotool type 5ms:8ms
becomes range 5000000:8000000 key Return
becomes prompt '>' key ctrl+p
xdotool type 'select-task 1418'
becomes selected-task 1418 key Return
becomes root 1418 key Return
becomes root -1 key r
becomes help 1 key F1
becomes help 0 key Escape
becomes selected-task -1 key Escape
brings "$dir/orrery.png" key e

# the mouse
becomes fit 1 key 0
becomes selected-range 0:0 at 600 420
changes selected-range drag 400 400 600 420 1
changes range drag 450 400 550 400 3
changes range drag 450 400 550 400 2
changes range xdotool keydown ctrl click 4 keyup ctrl
changes range xdotool keydown shift click 5 keyup shift
becomes size 1600x700 xdotool windowsize "$(window)" 1600 700
changes scroll xdotool click 5
becomes scroll 0 xdotool click 4
becomes size 1600x1000 xdotool windowsize "$(window)" 1600 1000
becomes fit 1 key 0
changes selected-row xdotool mousemove 340 192 click 1
becomes selected-row -1 key Escape
changes range xdotool mousemove 340 192 click --repeat 2 --delay 40 1
changes range drag 400 60 700 60 1
changes split drag 883 500 800 500 1
changes split drag 500 812 500 700 1
changes zoom xdotool mousemove 1200 400 click 4
changes centre drag 1200 400 1260 430 1
changes centre xdotool mousemove 1100 300 click 2
becomes zoom 1.0000 key r
becomes tab Functions xdotool mousemove 95 714 click 1
becomes colour time say colour time
becomes size 1000x700 xdotool windowsize "$id" 1000 700

# a key that is held goes on, and no longer than it is held
becomes size 1600x1000 xdotool windowsize "$id" 1600 1000
becomes fit 1 key 0
at 500 400
becomes held 1 xdotool keydown d
for i in 1 2 3; do
	was=$(state range)
	wait_for 10 "the range to go on" is_not range "$was"
done
becomes held 0 xdotool keyup d
was=$(state range)
say wait frame
say wait frame
say tell held
wait_for 10 "two frames" grep -q "^tell held" "$dir/state"
[ "$(grep -v ^tell "$dir/state" | tail -n 1 | tr ' ' '\n' | sed -n 's/^range=//p')" = "$was" ] ||
    fail "a key that was let go goes on"

# asked politely
key q
gone
[ $code = 0 ] || fail "quit ends with $code"
[ ! -s "$dir/err" ] || fail "it had something to say"
echo "$steps steps"

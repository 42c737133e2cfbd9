#!/bin/sh
# The other trees and two runs side by side, with keys and mouse through a
# real server: what is done to one run is done to both, and the window has the
# pixels that are drawn without a server.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
start_x
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
cp "$dir/run.orr" "$dir/other.orr"
start_viewer --size 1400x900 "$dir/run.orr"
say wait read
wait_for 20 "the file" is finished 1
focus

# same: the window is the picture
same() {
	say wait frame
	equal "$*"
}
# press KEY NAME VALUE: again, when the server had to learn the key first
press() {
	for try in 1 2 3; do
		xdotool key "$1"
		soon is "$2" "$3" && return 0
	done
	fail "$2 is $(state "$2"), not $3, after $1"
}

press B tree-of threads
same threads
press B tree-of calls
wait_for 20 "all calls" is adding-up 0
press W weight even
same calls
say "select-range 5ms:9ms"
wait_for 20 "calls of a part" is adding-up 0
same "calls of a part"
press B tree-of tasks

# its titles can be clicked
xdotool mousemove --window "$id" 908 100 click 1
wait_for 10 "a click on Threads" is tree-of threads
say tree-of tasks

say "compare $dir/other.orr"
wait_for 20 "the other run" is comparing 1
say wait read
say fit-all
wait_for 20 "both runs" is tab Compare
same "two runs"

# over the other tree the pointer is in both; it can be selected there
xdotool mousemove --window "$id" 1179 420
wait_for 10 "something under it" is_not hovered-task -1
hovered=$(state hovered-task)
xdotool mousemove --window "$id" 773 420
sleep 0.1
xdotool mousemove --window "$id" 1180 421 mousemove --window "$id" 1179 420
wait_for 10 "the same under it" is hovered-task "$hovered"
xdotool click 1
wait_for 10 "it is selected" is selected-task "$hovered"
same "a task in both"
zoom=$(state zoom)
xdotool click 4
wait_for 10 "a zoom over the other tree" is_not zoom "$zoom"
# and over its lanes the time goes for both
range=$(state range)
xdotool mousemove --window "$id" 400 560 keydown ctrl click 4 keyup ctrl
wait_for 10 "a zoom over the other lanes" is_not range "$range"
say colour difference
same "differences"
# away with it: at the right end of its title
xdotool mousemove --window "$id" 1376 100 click 1
wait_for 10 "it is closed" is comparing 0
same "one run"
say "compare $dir/nothing.orr"
gone
[ $code = 65 ] || fail "a run that is not there: $code, not 65"
echo ok

#!/bin/sh
# Through a network: the picture is the same to the pixel, nobody waits for an
# answer, what only moves is not sent again, and a slow line does not stop it.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
start_x
near=$DISPLAY
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"

# far ARGUMENTS OF THE VIEWER...: a viewer behind the proxy
far() {
	start_proxy ${proxy:-}
	DISPLAY=$far
	start_viewer "$@"
	DISPLAY=$near
}
# count NAME: since the last time
count() { proxy_counts | tr ' ' '\n' | sed -n "s/^$1=//p"; }

far --size 1200x800 "$dir/run.orr"
say wait read
say wait frame
wait_for 20 "a frame of everything" is finished 1
wait_for 20 "its window" has_window
"$viewer" --snapshot "$dir/still.png" --size 1200x800 "$dir/run.orr" ||
    fail "no snapshot without a server"
wait_for 10 "equal pixels" "$grab" "$id" "$dir/still.png"
line=$(proxy_counts)
echo "to the first frames: $line"
for place in "range 5ms:9ms" "colour time" "select-task 1418" "lanes state" \
    "tab communication" "help" "clear" "form sunburst" "theme" "theme" \
    "scroll-down" "pan-right" "zoom-out" "seek 20ms" "end" "fit-all"; do
	say "$place"
	equal "$place"
done
line=$(proxy_counts)
case $line in *replies=0\ *) ;; *) fail "it has waited: $line" ;; esac
echo "places: $line"

# moved by the server
say links
say "range 5ms:15ms"
say pan-right
equal "moved from"
whole=$(count raw)
say pan-right
equal "moved"
line=$(proxy_counts)
moved=$(echo "$line" | tr ' ' '\n' | sed -n 's/^raw=//p')
case $line in *copy=0\ *) fail "nothing was moved: $line" ;; esac
[ "$moved" -lt $((whole / 2)) ] || fail "moving takes $moved of $whole bytes"

# what the window has lost is with the server, and not sent again
say wait frame
frame=$(state frame)
count raw >/dev/null
xdotool windowunmap "$id"
xdotool windowmap "$id"
wait_for 10 "a frame" is_not frame "$frame"
equal "mapped again"
again=$(count raw)
[ "$again" -lt 20000 ] || fail "mapping again takes $again bytes"
xdotool windowsize "$id" 900 600
wait_for 10 "the new size" is size 900x600
equal "smaller"
say quit
gone
[ $code = 0 ] || fail "quit ends with $code"
stop_proxy

# live, 25 ms each way: frames do not wait for each other
"$makelog" -b 100 -x 2000 -n 600000 "$dir/live.orr" >/dev/null || fail "makelog"
proxy="-d 25"
# live: a run that is followed, and is over before it ends
live() {
	start_live "$dir/live.orr" "$dir/live.sock" 40 37
	far --size 1200x800 --connect "unix:$dir/live.sock"
	wait_for 20 "events" is_not events 0
	wait_for 20 "its window" has_window
	wait_for 20 "the live edge" is follow 1
}
# watch WHAT: for some frames
further() { [ "$(state frame)" -ge $((from + 40)) ]; }
watch() {
	proxy_counts >/dev/null
	from=$(state frame)
	wait_for 20 "40 frames ($1)" further
	line=$(proxy_counts)
	echo "$1: 40 frames: $line"
	case $line in *replies=0\ *) ;; *) fail "it has waited: $line" ;; esac
	case $line in *copy=0\ *) fail "nothing was moved: $line" ;; esac
}
# over: the run stands still, and what is seen is what is meant
over() {
	say pause
	stop_live # its events are counted on top
	wait_for 20 "its end" is connected 0
	equal "paused, $1"
	is far 0 || fail "lines of the server stay"
	say quit
	gone
	[ $code = 0 ] || fail "quit ends with $code"
	stop_proxy
}
live
say links
watch "without links"
over "without links"
# links are lines of the server while it is followed, then pixels as anywhere
live
wait_for 20 "lines of the server" is far 1
wait_for 20 "the newest ten seconds" is fit 0
watch "with links"
# as pixels it is 18 KB a frame, of which names that move with their rows are 2
raw=$(echo "$line" | tr ' ' '\n' | sed -n 's/^raw=//p')
[ "$raw" -lt $((40 * 12288)) ] || fail "links are sent as pixels: $line"
say zoom-in
say "theme light"
say wait frame
over "with links"
echo ok

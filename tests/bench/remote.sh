#!/bin/sh
# What a viewer far away costs: bytes for each frame that follows a live run,
# as they are and compressed as by ssh -C, bytes of a full redraw and of a window
# that was covered, frames a second at 50 ms there and back; and the time to the first frame nearby.
# Lines of bench.tsv.
set -u
. "$(dirname "$0")/../x11/lib"
seconds=${SECONDS_EACH:-3}
start_x
near=$DISPLAY
livelog=$BUILD/tests/bench/livelog
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
# 64 threads, 12,500 events a second; -x is how much slower than 9 M/s
"$makelog" -b 100 -x 2000 -n 250000 "$dir/live.orr" >/dev/null || fail "makelog"

figure() {
	printf '%s\t%s\t%s\t%s\t%s\t' "$@"
	echo "$2 $5" | awk '{ printf("%.2f\n", ($2 > 0 ? $1 / $2 : 0)) }'
}
told() { echo "$line" | tr ' ' '\n' | sed -n "s/^$1=//p"; }
# open ARGUMENTS...: as a user does, without a script, through the proxy
open() {
	DISPLAY=$far "$viewer" --config "" --state-fd 3 "$@" 3>"$dir/state" \
	    2>"$dir/err" &
	viewer_pid=$!
	wait_for 20 "its window" has_window
}
shut() {
	kill "$viewer_pid"
	wait "$viewer_pid" 2>/dev/null
	viewer_pid=
	stop_proxy
}
# calm: nothing has been drawn for a while
calm() {
	was=
	while [ "$(state frame)" != "$was" ]; do
		was=$(state frame)
		sleep 0.5
	done
}

# follow NAME KEY: a live run is followed, once the key was pressed
follow() {
	"$livelog" "$dir/live.orr" "$dir/live.sock" 66 $((seconds + 4)) &
	livelog_pid=$!
	wait_for 20 "livelog" test -S "$dir/live.sock"
	start_proxy ${proxy:-}
	open --connect "unix:$dir/live.sock"
	wait_for 20 "events" is_not events 0
	[ -z "$2" ] || xdotool windowfocus "$id" key "$2"
	sleep 2
	proxy_counts >/dev/null
	from=$(state frame)
	sleep "$seconds"
	to=$(state frame)
	line=$(proxy_counts)
	n=$((to - from))
	[ $n -gt 0 ] || n=1
	if [ -z "${proxy:-}" ]; then
		figure "$1-raw" $(($(told raw) / n)) B/frame goal 12288
		figure "$1-zlib" $(($(told zlib) / n)) B/frame goal 1024
	fi
	figure "$1-frames" $((n / seconds)) frames/s goal 30
	figure "$1-answers" "$(told replies)" answers goal 0
	shut
	kill $livelog_pid 2>/dev/null
	wait $livelog_pid 2>/dev/null
	rm -f "$dir/live.sock"
}
follow viewer-remote-follow i
follow viewer-remote-follow-links ""
proxy="-d 25"
follow viewer-remote-follow-50ms i
proxy=

# sent NAME COMMAND...: the bytes of all that comes of it
sent() {
	name=$1
	shift
	calm
	frame=$(state frame)
	proxy_counts >/dev/null
	"$@"
	wait_for 10 "a frame" is_not frame "$frame"
	calm
	line=$(proxy_counts)
	figure "$name-raw" "$(told raw)" B goal 430080
	figure "$name-zlib" "$(told zlib)" B goal 46080
}
# full NAME: no pixel stays what it is, from light to dark
full() {
	xdotool key T
	sent "$1" xdotool key T
}
# again: the window has lost everything
again() {
	xdotool windowunmap "$id"
	xdotool windowmap "$id"
}
start_proxy
open "$dir/run.orr"
wait_for 20 "all" is finished 1
xdotool windowfocus "$id"
full viewer-remote-full-links
xdotool key i
full viewer-remote-full
sent viewer-remote-uncovered again
shut
start_proxy
open "$dir/live.orr"
wait_for 20 "all" is finished 1
xdotool windowfocus "$id" key i
full viewer-remote-full-64-lanes
shut

DISPLAY=$near
for path in shm noshm; do
	option=
	[ $path = shm ] || option=--$path
	"$BUILD/tests/bench/startup" 15 "$viewer" $option --config "" \
	    --state-fd 3 "$dir/run.orr" >"$dir/ms" && read -r p50 most <"$dir/ms"
	figure "viewer-first-frame-$path" "${p50:-0}" ms goal 10
done
"$BUILD/tests/bench/startup" 15 "$viewer" --config "" --state-fd 3 \
    --connect "unix:$dir/nobody" >"$dir/ms" && read -r p50 most <"$dir/ms"
figure viewer-first-frame-waiting "${p50:-0}" ms goal 10

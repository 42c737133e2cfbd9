#!/bin/sh
# Frames per second of the whole window with both views, and the time from a
# key to its pixels, in Xvfb.  Lines of bench.tsv.
#
# live: two thirds of a log of 1.5 times EVENTS come at once, the rest evenly
# while it is measured.  What is paced draws at most 60 frames a second, as a
# user sees it; the others as fast as it goes, everything anew, and while live
# what new events would change.
set -u
. "$(dirname "$0")/../x11/lib"
events=${EVENTS:-1000000}
large=${LARGE:-} # keys at so many events, too: 1e8 take 2 GB and two minutes
seconds=${SECONDS_EACH:-3}
livelog=$BUILD/tests/bench/livelog
start_x
"$makelog" -b 1000 -n "$events" "$dir/run.orr" >/dev/null || fail "makelog"
"$makelog" -b 1000 -n $((events * 3 / 2)) "$dir/live.orr" >/dev/null ||
    fail "makelog"

# figure NAME VALUE UNIT REFERENCE VALUE: the ratio says how much better
figure() {
	printf '%s\t%s\t%s\t%s\t%s\t' "$@"
	echo "$2 $5" | awk '{ printf("%.2f\n", ($2 > 0 ? $1 / $2 : 0)) }'
}

# cpu_ns: of the viewer's first thread, so far
cpu_ns() { cut -d ' ' -f 1 "/proc/$viewer_pid/schedstat"; }
told() { grep -q "^tell $1" "$dir/state"; }

# between WORD CHARACTER: what the viewer has told in the end, less at first
between() {
	awk -v w="$1" -v c="$2" '/^tell begin/ { from = substr($w, c) }
	    /^tell end/ { print substr($w, c) - from }' "$dir/state"
}

# drawn: how many frames, as the lines about them say
drawn() { grep -c ^frame= "$dir/state"; }

# frames NAME SCRIPT-LINE ARGUMENTS...: with paced=1 at a user's pace: then the
# script is over, and the lines about each frame count them; else those would
# be part of what is measured
frames() {
	name=$1 line=$2
	shift 2
	if [ -n "${paced:-}" ]; then
		start_viewer --no-cache "$@"
	else
		rm -rf "$dir/fifo" "$dir/config"
		mkfifo "$dir/fifo"
		"$viewer" --script - --no-cache "$@" <"$dir/fifo" \
		    2>"$dir/err" >"$dir/state" &
		viewer_pid=$!
		exec 9>"$dir/fifo"
	fi
	say wait events "$events"
	say "$line"
	say wait frame
	say tell begin
	[ -n "${paced:-}" ] || say wait redrawn $((seconds * 1000))
	[ -n "${paced:-}" ] || say tell end
	wait_for 120 "all of it" told begin
	if [ -n "${paced:-}" ]; then
		exec 9>&- # as fast as it goes until here
		sleep 0.2
		n=$(drawn) cpu=$(cpu_ns)
		sleep "$seconds"
		kill -STOP "$viewer_pid"
		n=$(($(drawn) - n))
		cpu=$(echo "$(cpu_ns) $cpu" | awk '{ print ($1 - $2) / 1e6 }')
	else
		sleep "$seconds"
		wait_for 20 "the end" told end
		n=$(between 3 7) cpu=$(between 4 8)
	fi
	kill -KILL "$viewer_pid"
	gone 2>/dev/null
	[ "${n:-0}" -gt 0 ] || fail "no frames of $name"
	figure "$name" "$(echo "$n $seconds" | awk '{ printf("%.1f", $1 / $2) }')" \
	    frames/s "goal of a live view" 60
	figure "$name-cpu" "$(echo "$cpu $n" |
	    awk '{ printf("%.3f", $1 / $2) }')" ms/frame "a frame at 60 Hz" 16.7
}

# live NAME SCRIPT-LINE
live() {
	"$livelog" "$dir/live.orr" "$dir/live.sock" 66 $((seconds * 2 + 1)) &
	livelog_pid=$!
	wait_for 20 "livelog" test -S "$dir/live.sock"
	frames "$1" "$2" --connect "unix:$dir/live.sock"
	kill $livelog_pid 2>/dev/null # it may have gone with the viewer
	wait $livelog_pid 2>/dev/null
	livelog_pid=
	rm -f "$dir/live.sock"
}

# keys NAME EVENTS ARGUMENTS...: the state lines come through a pipe
keys() {
	name=$1 from=$2
	shift 2
	rm -f "$dir/lines"
	mkfifo "$dir/lines"
	"$viewer" --state-fd 3 "$@" 3>"$dir/lines" 2>"$dir/err" &
	viewer_pid=$!
	exec 8<"$dir/lines"
	wait_for 20 "its window" window
	"$BUILD/tests/bench/latency_keys" -e "$from" "$(window)" 200 \
	    <&8 >"$dir/keys"
	# and those that pan
	"$BUILD/tests/bench/latency_keys" "$(window)" 100 d a <&8 >"$dir/pans"
	kill "$viewer_pid"
	wait "$viewer_pid" 2>/dev/null
	viewer_pid=
	exec 8<&-
	read -r p50 p99 <"$dir/keys"
	figure "$name-p50" "${p50:-0}" ms "goal at 10^8 events" 3
	figure "$name-p99" "${p99:-0}" ms "goal at 10^8 events" 12
	read -r p50 p99 <"$dir/pans"
	figure "$name-pan-p50" "${p50:-0}" ms "goal at 10^8 events" 3
	figure "$name-pan-p99" "${p99:-0}" ms "goal at 10^8 events" 12
}

# keys_live NAME LOG EVENTS PERCENT SECONDS: while the rest of it comes
keys_live() {
	rm -f "$dir/live.sock"
	"$livelog" "$2" "$dir/live.sock" "$4" "$5" &
	livelog_pid=$!
	wait_for 20 "livelog" test -S "$dir/live.sock"
	keys "$1" "$3" --connect "unix:$dir/live.sock"
	wait $livelog_pid
}

paced=1
live viewer-live-paced fit-all
paced=
live viewer-live-all fit-all
live viewer-live-follow live
frames viewer-frames-all fit-all "$dir/run.orr"
frames viewer-frames-tail 'range 1ms:11ms' "$dir/run.orr"
frames viewer-frames-noshm fit-all --noshm "$dir/run.orr"

keys viewer-key-to-pixels "$events" "$dir/run.orr"
keys_live viewer-live-key-to-pixels "$dir/live.orr" "$((events * 9 / 10))" 66 12
[ -n "$large" ] || exit 0
large=$(echo "$large" | awk '{ printf("%.0f", $1) }')
"$makelog" -b 1000 -n "$large" "$dir/large.orr" >/dev/null || fail "makelog"
"$viewer" --index "$dir/large.orr" >/dev/null
keys viewer-large-key-to-pixels "$large" "$dir/large.orr"
keys_live viewer-large-live-key-to-pixels "$dir/large.orr" \
    "$((large * 7 / 10))" 70 30

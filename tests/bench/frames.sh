#!/bin/sh
# Frames per second of the whole window, both views drawn anew in every frame,
# and the time from a key to its pixels, in Xvfb.  Lines of bench.tsv.
set -u
. "$(dirname "$0")/../x11/lib"
events=${EVENTS:-1000000}
seconds=${SECONDS_EACH:-3}
start_x
"$makelog" -n "$events" "$dir/run.orr" >/dev/null || fail "makelog"

# figure NAME VALUE UNIT REFERENCE VALUE: the ratio says how much better
figure() {
	printf '%s\t%s\t%s\t%s\t%s\t' "$@"
	echo "$2 $5" | awk '{ printf("%.2f\n", ($2 > 0 ? $1 / $2 : 0)) }'
}

# frames NAME SCRIPT-LINE ARGUMENTS...
frames() {
	name=$1 line=$2
	shift 2
	printf 'wait read\n%s\nwait frame\nbench %ss\nquit\n' "$line" \
	    "$seconds" | "$viewer" --script - "$@" "$dir/run.orr" >"$dir/out"
	fps=$(sed -n 's/.*fps=\([0-9.]*\).*/\1/p' "$dir/out")
	figure "$name" "${fps:-0}" frames/s "goal of a live view" 60
}

frames viewer-frames-all fit-all
frames viewer-frames-tail 'range 1ms:11ms'
frames viewer-frames-noshm fit-all --noshm

start_viewer "$dir/run.orr"
say wait read
wait_for 60 "the file" is finished 1
wait_for 20 "its window" window
say fit-all
say move 500 400
sleep 0.5
tail -n 0 -f "$dir/state" >"$dir/tail" &
tail_pid=$!
say wait frame
mkfifo "$dir/lines"
kill $tail_pid
tail -n 1 -f "$dir/state" >"$dir/lines" &
tail_pid=$!
"$BUILD/tests/bench/latency_keys" "$(window)" 200 <"$dir/lines" >"$dir/keys"
kill $tail_pid
read -r p50 p99 <"$dir/keys"
figure viewer-key-to-pixels-p50 "${p50:-0}" ms "one frame at 60 Hz" 16.7
figure viewer-key-to-pixels-p99 "${p99:-0}" ms "one frame at 60 Hz" 16.7
say quit
gone

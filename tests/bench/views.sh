#!/bin/sh
# The price of a frame with each view open in the dock, below lanes and tree, in
# Xvfb, of a run in which all kinds of events are.  Lines of bench.tsv: what the
# viewer's first thread computes for a frame, the median, and of the longest frame
# of each step the longest but one of a hundred; what goes on between frames,
# figures that come after the picture, is not in it.
#
# pan: of a finished run, its middle half in sight, moved on by a hundredth of
# that each time, then drawn nearer by a fiftieth: every figure is another one
# each time.  live: while the last third of a run comes in, at RATE events a
# second or, of a short one, within a second, and is followed, at 60 frames a
# second at most, as a user sees it.  STEPS: a folder for what each step took.
# LOG: where the log is kept for the next time, with its index in LOG.cache.
set -u
. "$(dirname "$0")/../x11/lib"
events=$(echo "${EVENTS:-1e6}" | awk '{ printf("%.0f", $1) }')
rate=${RATE:-1e7}
start_x
log=${LOG:-$dir/run.orr}
[ -z "${LOG:-}" ] || export XDG_CACHE_HOME="$LOG.cache"
if [ ! -s "$log" ]; then
	"$makelog" -v -b 4096 -n "$events" "$log" >/dev/null || fail "makelog"
	"$viewer" --index "$log" >/dev/null || fail "index"
fi
# of the whole log: that is read once
[ -s "$log.ns" ] || "$viewer" --view Details --describe "$log" |
    sed -n 's/^length: \([0-9]*\) ns/\1/p' >"$log.ns"
run_ns=$(cat "$log.ns")
seconds=$(echo "$events $rate" | awk '{ s = $1 / 3 / $2
    printf("%.2f", s < 1 ? 1 : s) }')
views=${VIEWS:-$("$viewer" --print views | sed -n 's/^\.It Cm \([A-Z][a-z]*\).*/\1/p' |
    grep -vx -e Lanes -e Tree -e Compare -e all)}

# figure NAME VALUE: the ratio says how much of a frame it takes
figure() {
	echo "$1 $2" | awk '{ printf("%s\t%s\tms\ta frame at 60 Hz\t16.6\t%.2f\n",
	    $1, $2, $2 / 16.6) }'
}

# figures NAME: what was told of steps, less the first
figures() {
	awk '/^tell step/ { split($3, f, "="); split($5, c, "="); split($6, m, "=")
	    if (last != "" && f[2] > n)
		printf("%.3f %s\n", (c[2] - last) / (f[2] - n), m[2])
	    last = c[2]; n = f[2] }' "$dir/state" >"$dir/in-turn"
	[ -z "${STEPS:-}" ] || cp "$dir/in-turn" "$STEPS/$1"
	n=$(wc -l <"$dir/in-turn")
	[ "$n" -ge 20 ] || fail "only $n steps of $1"
	figure "$1-p50" "$(sort -n "$dir/in-turn" |
	    sed -n "$(((n + 1) / 2))s/ .*//p")"
	figure "$1-p99" "$(sed 's/.* //' "$dir/in-turn" | sort -n |
	    sed -n "$((n - n / 100))p")"
	figure "$1-longest" "$(sed 's/.* //' "$dir/in-turn" | sort -n | tail -n 1)"
}

# pace NAME: frames and events a second from the first step to the last
pace() {
	awk -v name="$1" -v rate="$rate" '/^tell step/ {
	    for (i = 3; i <= NF; i++) { split($i, x, "="); v[x[1]] = x[2] }
	    if (!any++) for (k in v) from[k] = v[k] }
	    END { s = (v["ms"] - from["ms"]) / 1e3
	    fps = (v["frame"] - from["frame"]) / s
	    in_s = (v["events"] - from["events"]) / s
	    printf("%s-fps\t%.1f\tframes/s\tgoal\t60\t%.2f\n", name, fps, fps / 60)
	    printf("%s-feed\t%.0f\tevents/s\tasked for\t%.0f\t%.2f\n", name,
		in_s, rate, in_s / rate) }' "$dir/state"
}

step='wait frame
tell step'

# pans VIEW: the script
pans() {
	echo "limit 250s"
	echo "range $((run_ns / 4))ns:$((run_ns * 3 / 4))ns"
	echo "wait finished"
	echo "limit frames 10" # figures of many events come later
	echo "tab $1"
	echo "wait ms 3000"
	for _ in $(seq 51); do printf 'pan-right 0.01\n%s\n' "$step"; done
	for _ in $(seq 50); do printf 'zoom-in 1.02\n%s\n' "$step"; done
	echo quit
}

# follows VIEW
follows() {
	echo "limit 250s"
	echo "pace user"
	echo "pace user"
	echo "wait events $((events * 6 / 10))"
	echo live
	echo "tab $1"
	for _ in $(seq 100); do echo "$step"; done
	echo quit
}

# views_of NAME SCRIPT ARGUMENTS...
views_of() {
	name=$1 script=$2
	shift 2
	rm -rf "$dir/config"
	timeout 300 "$viewer" --script "$script" "$@" >"$dir/state" \
	    2>"$dir/err" || fail "the viewer, $name"
	figures "$name"
}

for v in $views; do
	pans "$v" >"$dir/script"
	views_of "view-$v-pan" "$dir/script" "$log"
done
for v in $views; do
	follows "$v" >"$dir/script"
	"$livelog" "$log" "$dir/live.sock" 66 "$seconds" &
	livelog_pid=$!
	wait_for 20 "livelog" test -S "$dir/live.sock"
	views_of "view-$v-live" "$dir/script" --connect "unix:$dir/live.sock"
	pace "view-$v-live"
	kill $livelog_pid 2>/dev/null # it may have gone with the viewer
	wait $livelog_pid 2>/dev/null
	livelog_pid=
	rm -f "$dir/live.sock"
done

#!/bin/sh
# A collector without a monitord: keeper, worker, both are killed while a
# program publishes.  Everything published is in the spool once, or counted as
# lost; times do not fall and no watermark has lied.
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
T=$(mktemp -d)
ORRERY_DIR=$T
export ORRERY_DIR
export ORRERY_COUNTERS=0 # or there are more events than the program's
S=$T/n1/spool
collector= load=

clean() {
	[ -n "$load" ] && kill -9 "$load" 2>/dev/null
	for p in $(worker) $(keeper) $collector; do kill -9 "$p" 2>/dev/null; done
	rm -rf "$T"
}
trap clean EXIT

fail() {
	echo "collector_kills: $*" >&2
	cat "$T/log" >&2
	exit 1
}

# The processes of this test, by the directory in their command lines.
role() { pgrep -f -- "--dir $T .*$1"; }
worker() { role '--internal=worker'; }
keeper() { role '--internal=keeper'; }

# wait_for WHAT COMMAND...: until it succeeds, 10 s at most
wait_for() {
	what=$1
	shift
	for _ in $(seq 200); do
		"$@" && return 0
		sleep 0.05
	done
	fail "no $what"
}
answers() { "$BUILD/tools/monitorctl" who --node n1 >/dev/null 2>&1; }
has_socket() { [ -S "$T/n1/collector.sock" ]; }
has_events() { [ -s "$S/00000000000000000001.spool" ]; }
has_worker() { [ -n "$(worker)" ]; }
has_keeper() { [ -n "$(keeper)" ]; }
spooled() { cat "$S"/*.spool 2>/dev/null | wc -c; }
# has_more BYTES: the spool has, or the program has ended
has_more() { [ -s "$T/load" ] || [ "$(spooled)" -gt "$1" ]; }
more() { wait_for "more events" has_more $(($(spooled) + 20000)); }
has_other_worker() { w=$(worker); [ -n "$w" ] && [ "$w" != "$1" ]; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }

start() {
	"$BUILD/collector/collector" --name n1 --dir "$T" --spool-limit 1G -v -v 2>>"$T/log" &
	collector=$!
}

# checks WHAT: the spool against what the program says
check() {
	out=$("$BUILD/tests/tools/spoolcheck" -v "$S" 2>>"$T/log") ||
	    fail "$1: $out"
	echo "$1: $out"
	said=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$T/load")
	told=$(echo "$out" | sed -n 's/.*published \([0-9]*\).*/\1/p')
	# po_begin and po_end are the collector's; the main thread's begin and
	# the two others' ends are libprobe's
	[ "$told" -eq $((said + 5)) ] || fail "$1: $said published, $told told"
}

# publish SECONDS: a program does, and its first events are in the spool
publish() {
	"$BUILD/tests/apps/load" --threads 2 --rate 400000 --seconds "$1" >"$T/load" &
	load=$!
	wait_for "program's first events" has_events
}
# ends WHAT PID: the program, unharmed; then the process; and all is there
ends() {
	wait "$load" || fail "the program failed"
	load=
	wait_for "account" grep -q . "$T/load"
	kill "$2"
	wait_for "end of the collector" is_gone "$2"
	check "$1"
	rm -rf "$S"
}

# 1. the worker, 20 times
start
wait_for "collector that answers" answers
publish 5
[ -s "$S/lines" ] || fail "the lines of the clocks are not kept"
n=0
while [ $n -lt 20 ]; do
	wait_for worker has_worker
	w=$(worker)
	kill -9 $w
	wait_for "other worker" has_other_worker "$w"
	more
	n=$((n + 1))
done
ends "worker killed 20 times" "$collector"

# 2. the keeper, then the worker, while the program goes on and ends
start
wait_for "collector that answers" answers
publish 3
more
kill -9 "$collector"
wait_for keeper has_keeper
k=$(keeper)
w=$(worker)
more
kill -9 $w
wait_for "other worker" has_other_worker "$w"
ends "keeper and worker killed" "$k"

# 3. the keeper; a second collector takes over from the orphan
start
wait_for "collector that answers" answers
publish 3
more
kill -9 "$collector"
wait_for keeper has_keeper
start
wait_for "end of the orphan" is_gone "$(keeper)"
ends "taken over" "$collector"

# 4. a third one is told that there is one
start
wait_for "collector that answers" answers
wait_for worker has_worker
"$BUILD/collector/collector" --name n1 --dir "$T" 2>"$T/log2"
[ $? -eq 69 ] || fail "a second collector does not exit with 69"
grep -q 'runs already' "$T/log2" || fail "$(cat "$T/log2")"

# all of /proc is read only after one that has died without a keeper
searched() { grep -q 'looking through all processes' "$T/log"; }
! searched || fail "all processes were looked through for nothing"

# 5. both at once, as root: found again through the program's memory
if [ "$(id -u)" -eq 0 ]; then
	publish 3
	more
	w=$(worker)
	kill -STOP $w # or it would start another keeper
	kill -9 "$collector"
	kill -9 $w
	start
	ends "both killed" "$collector"
	searched || fail "nobody was looked through"
	grep -q 'found again' "$T/log" || fail "not found again"
fi
exit 0

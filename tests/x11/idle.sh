#!/bin/sh
# Nobody wakes up while nothing happens: a finished run, a paused one, one that
# waits for more of its file, one whose monitord is gone, and the window's
# thread while a live run goes on in a window that nobody can see.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
seconds=${SECONDS_EACH:-1}
start_x
"$makelog" -b 300 "$dir/run.orr" >/dev/null || fail "makelog"

# wakeups PID [main]: of all threads so far, or of the first
wakeups() {
	tasks=/proc/$1/task/*/status
	[ "${2:-}" != main ] || tasks=/proc/$1/task/$1/status
	cat $tasks | sed -n 's/^voluntary_ctxt_switches:\t//p' | paste -sd+ | bc
}
# still NAME [main]: within some seconds there is a time without one
still() {
	tries=8
	while [ $tries -gt 0 ]; do
		was=$(wakeups "$viewer_pid" "${2:-}")
		sleep "$seconds"
		is=$(wakeups "$viewer_pid" "${2:-}")
		echo "$1: $((is - was)) wake-ups in $seconds s"
		[ "$is" != "$was" ] || return 0
		tries=$((tries - 1))
	done
	fail "$1: it does not come to rest"
}
# open ARGUMENTS...: as a user does, without a script
open() {
	"$viewer" --state-fd 3 "$@" 3>"$dir/state" 2>"$dir/err" &
	viewer_pid=$!
	wait_for 20 "its window" has_window
	xdotool windowfocus "$id"
}
shut() {
	"$grab" -c "$id"
	code=0
	wait "$viewer_pid" || code=$?
	viewer_pid=
	[ $code = 0 ] || fail "ends with $code"
	wait_for 10 "its window to go" no_window
}

open "$dir/run.orr"
wait_for 20 "the file" is finished 1
still "finished run"
# the first key may be lost while the server tells of a new keyboard
for i in 1 2 3 4 5; do
	xdotool windowfocus --sync "$id" key space
	soon is paused 1 && break
done
is paused 1 || fail "no pause"
still "paused run"
shut

# a log that is not finished, and nobody writes
head -c 30000 "$dir/run.orr" >"$dir/half.orr"
open "$dir/half.orr"
wait_for 20 "half of the file" is_not events 0
still "half of a run"
events=$(state events)
tail -c +30001 "$dir/run.orr" >>"$dir/half.orr"
wait_for 20 "the other half" is finished 1
[ "$(state events)" -gt "$events" ] || fail "no more events"
shut

# a live run is finished and monitord goes: it is asked for ever more seldom
[ -x "$livelog" ] || skip "no livelog; the rest is fine"
start_live "$dir/run.orr" "$dir/gone.sock" 100 0 end
open --connect "unix:$dir/gone.sock"
wait_for 20 "the end of the run" is finished 1
wait_for 20 "its monitord to go" is connected 0
wait $livelog_pid
livelog_pid=
still "finished live run"
rm -f "$dir/gone.sock"
start_live "$dir/run.orr" "$dir/gone.sock" 100 0
xdotool windowfocus --sync "$id" key g
wait_for 20 "monitord at a key" is connected 1
shut
stop_live

# what nobody sees is not drawn
"$makelog" -b 100 -x 1000 -n 200000 "$dir/live.orr" >/dev/null || fail "makelog"
start_live "$dir/live.orr" "$dir/live.sock" 10 120
open --connect "unix:$dir/live.sock"
wait_for 20 "events" is_not events 0
xdotool windowunmap "$id"
still "live run, unmapped" main
frame=$(state frame) events=$(state events)
xdotool windowmap "$id"
wait_for 10 "a frame when it is seen again" is_not frame "$frame"
wait_for 10 "what came meanwhile" is_not events "$events"
kill "$viewer_pid"
wait "$viewer_pid" 2>/dev/null
viewer_pid=
stop_live
echo ok

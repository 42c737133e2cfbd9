#!/bin/sh
# What was given up to keep within the memory allowed is read from the log
# again when somebody looks there: then the picture is the one of a viewer that
# keeps everything, from a file and from monitord.
set -u
. "$(dirname "$0")/lib"
[ -x "$monitord" ] && [ -x "$monitorctl" ] || skip "needs monitord, monitorctl"
events=${EVENTS:-4500000}

"$makelog" -n "$events" -r 16 "$dir/run.orr" >/dev/null ||
    fail "makelog"

# look RANGE NAME: that part, known one by one, as a picture
look() {
	say "range $1"
	say wait known
	say wait frame
	say "export $dir/$2.png process-time"
	wait_for 60 "picture $2" test -s "$dir/$2.png"
}

walk() { # prefix
	say wait read
	say wait frame
	look 50ms:50.5ms "$1-1"
	look 50.2ms:50.3ms "$1-2"
	look 80ms:80.01ms "$1-3"
	say quit
	gone
	[ $code = 0 ] || fail "$1 ends with $code"
}

# gave_up NAME: there was something to be read again
gave_up() {
	grep -q ' known=0 ' "$dir/state" || fail "$1: nothing was given up"
}

start_viewer --headless --memory 4G "$dir/run.orr"
walk all
start_viewer --headless --memory 32M "$dir/run.orr"
walk file
gave_up file
for i in 1 2 3; do
	cmp "$dir/all-$i.png" "$dir/file-$i.png" || fail "picture $i of the file"
done

# what there is no room for will not be known, and waiting for it ends
start_viewer --headless --memory 32M "$dir/run.orr"
say limit 60s
say wait read
say tab activity
say range 0ms:400ms
say wait known
say describe
say quit
gone
[ $code = 0 ] || fail "waiting for too much ends with $code"
grep -q '^running: not known, single states are gone' "$dir/out" ||
    fail "more is known than there is room for"

# from monitord while a run goes on, then from its log
load=$BUILD/tests/apps/load
"$monitord" --log "$dir/live.orr" 2>"$dir/monitord.err" &
monitord_pid=$!
start_viewer --headless --memory 32M
say wait connected
# whatever the machine is busy with, none is lost
say limit 120s
"$monitorctl" run --full wait "$load" --wait --threads 4 --rate 1000000 \
    --events "$events" >/dev/null 2>&1 || fail "load"
say "wait events $events"
look 500ms:500.2ms live-1
look 502ms:502.05ms live-2
say quit
gone
gave_up live
"$monitorctl" shutdown >/dev/null || fail "shutdown"
wait "$monitord_pid"
monitord_pid=
start_viewer --headless --memory 4G "$dir/live.orr"
say wait read
look 500ms:500.2ms log-1
look 502ms:502.05ms log-2
say quit
gone
for i in 1 2; do
	cmp "$dir/live-$i.png" "$dir/log-$i.png" || fail "picture $i, live"
done
echo ok

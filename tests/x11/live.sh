#!/bin/sh
# The viewer waits for monitord, follows it, goes on after it was killed and
# started again, and in the end shows what the log's own picture shows.
set -u
. "$(dirname "$0")/lib"
pascal=$BUILD/examples/pascal
[ -x "$monitord" ] && [ -x "$monitorctl" ] && [ -x "$pascal" ] ||
    skip "needs monitord, monitorctl and pascal"
start() {
	"$monitord" --log "$dir/run.orr" 2>>"$dir/monitord.err" &
	monitord_pid=$!
}

start_viewer --headless
wait_for 10 "a frame while there is nobody" is connected 0
start
wait_for 20 "the viewer to find it" is connected 1
wait_for 20 "a collector" "$monitorctl" who
# what is recorded can be chosen here, too, and is said in words
say "probe -lock 'x y*' cap:7 --node *"
probed() { "$monitorctl" probe | grep -qF -- '-lock:x y* --node=*'; }
wait_for 20 "the viewer's choice" probed
say "probe --reset"
unprobed() { "$monitorctl" probe | grep -q 'rules: \[\]'; }
wait_for 20 "the viewer's second choice" unprobed
"$monitorctl" run "$pascal" 35 --pes 5 >/dev/null 2>&1 &
app=$!
wait_for 20 "the first tasks" is_not tasks 0
kill -9 "$monitord_pid"
wait "$monitord_pid" 2>/dev/null
wait_for 10 "the viewer to notice" is connected 0
start
wait_for 20 "the viewer to come back" is connected 1
wait "$app"
wait_for 30 "all tasks" is tasks 2235
"$monitorctl" shutdown >/dev/null || fail "shutdown"
wait_for 20 "the end" is finished 1
say wait finished
wait "$monitord_pid"
monitord_pid=
wait_for 10 "the end of the connection" is connected 0
say fit-all
say "snapshot $dir/live.png"
wait_for 10 "the picture" test -s "$dir/live.png"
"$viewer" --snapshot "$dir/file.png" "$dir/run.orr" || fail "snapshot"
cmp "$dir/live.png" "$dir/file.png" || fail "live and file differ"
say quit
gone
[ $code = 0 ] || fail "ends with $code"
echo ok

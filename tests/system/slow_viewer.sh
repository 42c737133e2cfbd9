#!/bin/sh
# A viewer that stops reading: monitord holds no more for it than a queue, a
# second viewer goes on, and the stopped one has everything in the end.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
badpeer=$BUILD/tests/tools/badpeer
unset DISPLAY

start_monitord
wait_for 10 "the node" nodes_ready 1
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$monitord_pid/status"; }
# one that reads nothing until it is told to, and a true one that is stopped
"$badpeer" slow "$ORRERY_DIR/monitord.sock" "$dir/go" >"$dir/slow" &
slow=$!
printf "limit 120s\nwait finished\n" >"$dir/script"
"$BUILD/viewer/viewer" --headless --script "$dir/script" >"$dir/viewer1.out" 2>&1 &
stopped=$!
"$BUILD/viewer/viewer" --headless --script "$dir/script" >"$dir/viewer2.out" 2>&1 &
reader=$!
viewers() { [ "$("$monitorctl" status | sed -n 's/.* \([0-9]*\) viewers.*/\1/p')" = "$1" ]; }
wait_for 10 "three viewers" viewers 3
# what monitord itself needs for this load, before anything piles up
"$load" --wait --threads 4 --noise --rate 200000 --seconds 3 >"$dir/load1" || fail "load"
kill -STOP $stopped
before=$(rss) from=$(stat -c %s "$dir/run.orr")
"$load" --wait --threads 4 --noise --rate 200000 --seconds 7 >"$dir/load2" || fail "load"
after=$(rss) to=$(stat -c %s "$dir/run.orr")
grew=$((after - before)) log=$(((to - from) / 1024))
echo "log grew by $log KiB, monitord by $grew KiB"
[ $log -gt 8192 ] || fail "the log has hardly grown"
# its own need differs from second to second, by less than this
# (a sanitizer never gives back what was freed)
ldd "$monitord" | grep -q libasan || [ $grew -lt $((log / 2 + 6144)) ] || fail "monitord keeps what the viewers do not read"
viewers 3 || fail "a viewer was thrown out"
kill -CONT $stopped
: >"$dir/go"
finish
cat "$dir/receipt"
wait $slow || fail "the slow one"
wait $stopped || { cat "$dir/viewer1.out"; fail "the stopped viewer has ended with $?"; }
wait $reader || { cat "$dir/viewer2.out"; fail "the viewer beside it has ended with $?"; }
cat "$dir/slow"
grep -q 'and the receipt' "$dir/slow" || fail "the slow one has not got the receipt"
sent=$(sed -n 's/^log bytes \([0-9]*\).*/\1/p' "$dir/slow")
[ "$sent" -ge "$to" ] || fail "it was sent $sent bytes, but the log has $to before its end"
grep -qE '^lost +0$' "$dir/receipt" || fail "events were lost"

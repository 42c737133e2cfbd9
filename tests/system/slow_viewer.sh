#!/bin/sh
# Viewers that stop reading: monitord holds no more for each than a queue,
# another viewer goes on, and the stopped ones have everything in the end.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
badpeer=$BUILD/tests/tools/badpeer
unset DISPLAY

start_monitord
wait_for 10 "the node" nodes_ready 1
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$monitord_pid/status"; }
# seven that read nothing until they are told to, and a true one that is stopped
slow=
for i in 1 2 3 4 5 6 7; do
	"$badpeer" slow "$ORRERY_DIR/monitord.sock" "$dir/go" >"$dir/slow$i" &
	slow="$slow $!"
done
printf "limit 120s\nwait finished\n" >"$dir/script"
"$BUILD/viewer/viewer" --headless --script "$dir/script" >"$dir/viewer1.out" 2>&1 &
stopped=$!
"$BUILD/viewer/viewer" --headless --script "$dir/script" >"$dir/viewer2.out" 2>&1 &
reader=$!
viewers() { [ "$("$monitorctl" status | sed -n 's/.* \([0-9]*\) viewers.*/\1/p')" = "$1" ]; }
wait_for 10 "nine viewers" viewers 9
# what monitord itself needs for this load, before anything piles up
"$load" --wait --threads 4 --noise --rate 200000 --seconds 3 >"$dir/load1" || fail "load"
kill -STOP $stopped
before=$(rss) from=$(stat -c %s "$dir/run.orr")
log=0 rounds=0 # a busy machine takes longer
while [ $log -lt 10240 ]; do
	[ $rounds -lt 30 ] || fail "the log has hardly grown: by $log KiB"
	rounds=$((rounds + 1))
	"$load" --wait --threads 4 --noise --rate 200000 --seconds 2 >"$dir/load2" || fail "load"
	to=$(stat -c %s "$dir/run.orr")
	log=$(((to - from) / 1024))
done
grew=$(($(rss) - before))
echo "log grew by $log KiB, monitord by $grew KiB"
# if it kept what the eight do not read that would be eight logs; its own need
# differs from second to second by some two logs when the machine is busy
# (a sanitizer never gives back what was freed)
ldd "$monitord" | grep -q libasan || [ $grew -lt $((log * 5)) ] || fail "monitord keeps what the viewers do not read"
viewers 9 || fail "a viewer was thrown out"
kill -CONT $stopped
: >"$dir/go"
finish
cat "$dir/receipt"
for p in $slow; do
	wait $p || fail "a slow one"
done
wait $stopped || { cat "$dir/viewer1.out"; fail "the stopped viewer has ended with $?"; }
wait $reader || { cat "$dir/viewer2.out"; fail "the viewer beside it has ended with $?"; }
cat "$dir"/slow?
for f in "$dir"/slow?; do
	grep -q 'and the receipt' "$f" || fail "a slow one has not got the receipt"
	sent=$(sed -n 's/^log bytes \([0-9]*\).*/\1/p' "$f")
	[ "$sent" -ge "$to" ] || fail "it was sent $sent bytes, but the log has $to before its end"
done
grep -q '^good' "$dir/receipt" || fail "the receipt is not good"

#!/bin/sh
# Connections that never say anything: they are closed after 5 s with a line,
# a process can have so many at the attach port, and programs and tools are served meanwhile.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
badpeer=$BUILD/tests/tools/badpeer

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
attach=$ORRERY_DIR/n1/collector.sock
wait_for 10 "the attach port" test -S "$attach"

# served: whoever has something to say; in $ms milliseconds
served() {
	start=$(date +%s%N)
	"$load" --wait --threads 2 --events 20000 >"$1" || fail "load"
	"$monitorctl" status >/dev/null || fail "status"
	"$monitorctl" who >/dev/null || fail "who"
	ms=$((($(date +%s%N) - start) / 1000000))
}
served "$dir/load0"
alone=$ms
# 200 at each port; of one process the attach port takes 16 at a time
"$badpeer" silent "$attach" 200 >"$dir/silent1" &
one=$!
"$badpeer" silent "$ORRERY_DIR/monitord.sock" 200 >"$dir/silent2" &
two=$!
wait_for 10 "200 that say nothing" grep -q connected "$dir/silent1"
wait_for 10 "200 that say nothing" grep -q connected "$dir/silent2"
# not only when these are closed, which is after 5 s
served "$dir/load1"
[ $ms -lt $((alone + 4000)) ] || fail "a program and two tools took $ms ms, alone $alone ms"
"$badpeer" silent "$attach" 100 >"$dir/silent3" &
three=$!
wait_for 10 "100 more" grep -q connected "$dir/silent3"
"$load" --wait --threads 2 --events 20000 >"$dir/load2" || fail "load"
wait $one $two $three || fail "badpeer"
cat "$dir"/silent[123]
for i in 1 2 3; do
	grep -qE '^closed [0-9]+ of [0-9]+ ' "$dir/silent$i" || fail "silent$i"
	set -- $(grep '^closed' "$dir/silent$i")
	[ "$2" -eq "$4" ] || fail "only $2 of $4 were closed"
	[ "$6" -ge 4000 ] || fail "closed after $6 ms"
done
[ "$(grep -c 'no hello within 5 s; closing' "$dir/monitord.err")" -ge 1 ] || fail "monitord says nothing"
[ "$(grep -c 'attach port: process [0-9]*: says nothing; closing' "$dir/monitord.err")" -le 32 ] ||
    fail "more than 16 of a process were taken"
[ "$(grep -c 'attach port: process [0-9]* has 16 connections; more are turned away' "$dir/monitord.err")" -eq 2 ] ||
    fail "that they are turned away is not said once of each process"
finish
cat "$dir/receipt"
want=$(cat "$dir"/load[012] | awk '{ s += $2 } END { print s }')
got=$(sed -n 's/^stored *//p' "$dir/receipt")
[ "$got" -ge "$want" ] || fail "$want published, $got stored"

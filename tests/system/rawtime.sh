#!/bin/sh
# An event is never stamped before what its program has read from the clock
# just before, wherever its collector is kept from its work: it is stopped and
# goes on again all the time.  EVENTS on each of THREADS threads, RATE a second.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
rawtime=$BUILD/tests/apps/rawtime
EVENTS=${EVENTS:-150000} THREADS=${THREADS:-2} RATE=${RATE:-100000}

printf 'name: raw\ndefaults: { launch: local, full: "wait:60000" }\nnodes:\n  - { name: n1 }\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
# monitord starts a keeper, and that a worker
child() { ps -o pid= --ppid "$1" | head -n 1 | tr -d ' '; }
has_worker() { worker=$(child "$(child "$monitord_pid")") && [ -n "$worker" ]; }
wait_for 10 "the worker" has_worker

"$rawtime" "$THREADS" "$EVENTS" "$RATE" >"$dir/rawtime" 2>&1 &
program=$!
stops=0
while kill -0 "$program" 2>/dev/null; do
	kill -STOP "$worker" || fail "the worker is gone"
	sleep 0.0$((stops % 9))
	kill -CONT "$worker"
	sleep 0.0$((stops * 7 % 5))
	stops=$((stops + 1))
done
wait "$program" || { cat "$dir/rawtime"; fail "rawtime"; }
finish
"$monitorctl" dump --raw --kind note "$dir/run.orr" | "$rawtime" --check >"$dir/out" ||
    { cat "$dir/out"; fail "times are not as they were stamped"; }
echo "stopped $stops times; $(cat "$dir/out")"

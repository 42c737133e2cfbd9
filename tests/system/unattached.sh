#!/bin/sh
# Programs that could not attach: the receipt and status tell of them, and of
# one that has come after all they do not.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

printf 'name: test\nnodes:\n  - { name: n1, launch: none }\n' >"$dir/c.yaml"
start_collector() {
	"$@" "$BUILD/collector/collector" --name n1 2>>"$dir/collector.err" &
	collector=$!
}
unattached() { "$monitorctl" status --yaml | grep -q "^ *unattached: $1\$"; }
worker() { pgrep -P $collector | head -n 1; }

# --- the collector stands still while one begins and ends, and one goes on ---
start_monitord "$dir/c.yaml"
start_collector env
wait_for 10 "the node" nodes_ready 1
worker=$(worker)
kill -STOP "$worker"
"$load" --threads 1 --rate 1000 --seconds 0.2 >/dev/null || fail "the program was harmed"
"$load" --threads 1 --rate 1000 --seconds 60 >/dev/null &
long=$!
sleep 1.5 # until it has given up its first try
kill -CONT "$worker"
wait_for 10 "one that could not attach" unattached 1
pos() { [ "$("$monitorctl" status --yaml | sed -n 's/^ *pos: //p')" = "$1" ]; }
wait_for 10 "the other one to come after all" pos 1
kill $long
wait $long
"$monitorctl" status >"$dir/status"
says "$dir/status" '1 processes COULD NOT ATTACH; the last: '
"$monitorctl" shutdown >"$dir/receipt" || { cat "$dir/receipt"; fail "shutdown"; }
wait "$monitord_pid" || fail "monitord ended with $?"
says "$dir/receipt" '^unattached 1$'
says "$dir/receipt" '^good: published = stored'
says "$dir/receipt" '^but without processes that could not attach'
says "$dir/receipt" '^  node n1: 1, of which '
"$monitorctl" report --yaml "$dir/run.orr" >"$dir/report"
says "$dir/report" 'unattached: 1,'
"$monitorctl" dump --kind unattached "$dir/run.orr" >"$dir/dump"
says "$dir/dump" 'unattached processes=1 '
wait $collector

# --- memory files may not be as large as rings: nobody can attach ---
rm "$dir/run.orr"
command -v prlimit >/dev/null || { echo "unattached: ok, without limits"; exit 0; }
start_monitord "$dir/c.yaml"
start_collector prlimit --fsize=1048576:1048576
wait_for 10 "the node" nodes_ready 1
"$load" --threads 1 --rate 1000 --seconds 0.2 >/dev/null || fail "the program was harmed"
wait_for 10 "one that could not attach" unattached 1
"$monitorctl" shutdown >"$dir/receipt" || { cat "$dir/receipt"; fail "shutdown"; }
wait "$monitord_pid" || fail "monitord ended with $?"
monitord_pid=
says "$dir/receipt" '^unattached 1$'
grep -qE 'process [0-9]+ cannot attach: File too large' "$dir/collector.err" || { cat "$dir/collector.err"; fail "no reason is given"; }
wait $collector

# --- it has no room for what it gets, and is killed before it can say so ---
little="prlimit --as=15000000 $load --threads 1 --rate 1000"
if $little --seconds 0.01 >/dev/null 2>&1; then # no sanitizer can do with that
	rm "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	start_collector env
	wait_for 10 "the node" nodes_ready 1
	$little --seconds 60 >/dev/null &
	long=$!
	wait_for 10 "the program" pos 1
	kill -KILL $long
	wait_for 10 "one that could not attach" unattached 1
	"$monitorctl" shutdown >"$dir/receipt" || { cat "$dir/receipt"; fail "shutdown"; }
	wait "$monitord_pid" || fail "monitord ended with $?"
	monitord_pid=
	says "$dir/receipt" '^  node n1: 1, of which .*: it has not taken its memory'
	wait $collector
fi

# --- a soft limit is the shell's habit, not a decision: it is lifted ---
rm "$dir/run.orr"
start_monitord "$dir/c.yaml"
start_collector prlimit --fsize=1048576:
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 1 --rate 1000 --seconds 0.2 >/dev/null || fail "the program was harmed"
finish
says "$dir/receipt" '^unattached 0$'
wait $collector
echo "unattached: ok"

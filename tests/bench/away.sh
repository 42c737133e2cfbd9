#!/bin/sh
# monitord is away for a while, and catches up: nothing is lost, and the log is
# that of a run that nothing has disturbed, thread by thread.
#
#	away.sh [SECONDS_AWAY [EVENTS_PER_S [kill|stop]]]	60 1000000 kill
#
# kill: it is killed and started again after SECONDS_AWAY; stop: it stands still
# as behind a link that is cut.  Prints lines of bench.tsv: how many times real
# time it catches up while the programs go on, and what was lost.  Exits 1 when
# something is lost or differs.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
away=${1:-60} rate=${2:-1000000} how=${3:-kill}
# both programs are to be there until all is caught up: at twice real time
events=$((rate / 2 * (away * 2 + 3)))

printf 'name: away\ndefaults: { launch: local, ring: 32M, rings: 16, spool: 4G }\nnodes: [ { name: n1 } ]\n' >"$dir/c.yaml"
attached() { [ "$("$monitorctl" status --yaml | sed -n 's/^ *pos: *//p')" -ge "$1" ]; }
# start_loads RATE: one after the other, so that their numbers are the same
start_loads() {
	"$load" --wait --threads 1 --rate "$1" --events "$events" >"$dir/load1" & load1=$!
	wait_for 10 "the first program" attached 1
	"$load" --wait --threads 1 --rate "$1" --events "$events" >"$dir/load2" & load2=$!
}
# field KEY: of the status, summed
field() { "$monitorctl" status --yaml | tr ',{}' '\n\n\n' | awk -v k="$1:" '$1 == k { s += $2 } END { printf "%.0f\n", s }'; }
now() { date +%s.%N; }

start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
start_loads $((rate / 2))
wait_for 10 "both programs" attached 2
sleep 1
before=$(field events)
if [ "$how" = stop ]; then
	kill -STOP "$monitord_pid"
	sleep "$away"
	start=$(now)
	kill -CONT "$monitord_pid"
else
	kill -KILL "$monitord_pid"
	wait "$monitord_pid" 2>/dev/null
	sleep "$away"
	start=$(now)
	start_monitord "$dir/c.yaml"
fi
# caught up: what waits in the spool is what the last moment has brought
caught_up() {
	at=$(now)
	[ "$(field spool_bytes)" -le $((rate / 2)) ] && [ "$(field received)" -gt 0 ]
}
wait_for 600 "monitord to catch up" caught_up
logged=$(($(field events) - before))
wait $load1 || fail "a program was harmed"
wait $load2 || fail "a program was harmed"
finish
mv "$dir/run.orr" "$dir/away.orr"
mv "$dir/receipt" "$dir/receipt.away"

# the same without disturbance, as fast as goes without a loss
gone() { ! pgrep -f "collector/collector .*$dir" >/dev/null; }
wait_for 10 "the end of the collector" gone
rm -rf "$ORRERY_DIR"/n1 # processes and messages are numbered from 1 again
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
ORRERY_FULL=wait; export ORRERY_FULL
start_loads $((rate / 2 * 3))
wait $load1 && wait $load2 || fail "a program was harmed"
finish

lost=$(sed -n 's/^lost *//p' "$dir/receipt.away")
awk -v n="$logged" -v s="$start" -v e="$at" -v r="$rate" -v l="$lost" -v a="$away" -v h="$how" 'BEGIN {
	printf "away %d s (%s): events caught up with\t%.0f\tevents\toffered per s\t%d\t\n", a, h, n, r
	printf "away %d s (%s): catching up, times real time\t%.2f\tx\tgoal\t3\t%.2f\n", a, h, n / r / (e - s), n / r / (e - s) / 3
	printf "away %d s (%s): lost\t%s\tevents\tgoal\t0\t\n", a, h, l
}'
"$BUILD/tests/tools/samelog" "$dir/away.orr" "$dir/run.orr" >"$dir/same" ||
    { cat "$dir/same"; fail "the log is not that of an undisturbed run"; }
cat "$dir/same" >&2

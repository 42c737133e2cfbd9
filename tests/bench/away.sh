#!/bin/sh
# monitord is away for a while, and catches up: nothing is lost, and the log is
# that of a run that nothing has disturbed, thread by thread.
#
#	away.sh [SECONDS_AWAY [EVENTS_PER_S [kill|stop|link]]]	60 1000000 kill
#	SPOOL=1G ...				room on disk of the node (512M)
#
# kill: it is killed and started again after SECONDS_AWAY; stop: it stands still;
# link: it goes on, but the line to the node, which is a relay, stands still.
# Prints lines of bench.tsv: how many times real time it catches up while the
# programs go on, how much waited in the spool, and what was lost.  Exits 1 when
# something is lost or differs.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
away=${1:-60} rate=${2:-1000000} how=${3:-kill}
# both programs are to be there until all is caught up: at twice real time
events=$((rate / 2 * (away * 2 + 3)))

# ready: monitord runs, and the node is there; over a relay for a link
ready() {
	options="ring: 32M, rings: 16, spool: ${SPOOL:-512M}"
	if [ "$how" = link ]; then
		port=$(some_port)
		printf 'name: away\nlisten: tcp:127.0.0.1:%d\nnodes: [ { name: n1, launch: none } ]\n' $port >"$dir/c.yaml"
	else
		printf 'name: away\ndefaults: { launch: local, %s }\nnodes: [ { name: n1 } ]\n' "$options" >"$dir/c.yaml"
	fi
	start_monitord --insecure-loopback "$dir/c.yaml"
	if [ "$how" = link ]; then
		"$BUILD/tests/tools/relay" --listen 127.0.0.1:$((port + 1)) --to 127.0.0.1:$port >"$dir/relay" & relay=$!
		wait_for 10 "the relay" grep -q ready "$dir/relay"
		"$BUILD/collector/collector" --name n1 --monitord tcp:127.0.0.1:$((port + 1)) \
		    --ring 32M --rings 16 --spool-limit "${SPOOL:-512M}" 2>>"$dir/collector.err" &
	fi
	wait_for 10 "a node" nodes_ready 1
}
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

ready
start_loads $((rate / 2))
wait_for 10 "both programs" attached 2
sleep 1
before=$(field events)
spooled() { cat "$ORRERY_DIR"/n1/spool/*.spool | wc -c; }
case $how in
stop|link)
	victim=$monitord_pid
	[ "$how" = stop ] || victim=$relay
	kill -STOP "$victim"
	sleep "$away"
	waits=$(spooled)
	start=$(now)
	kill -CONT "$victim" ;;
kill)
	kill -KILL "$monitord_pid"
	wait "$monitord_pid" 2>/dev/null
	sleep "$away"
	waits=$(spooled)
	start=$(now)
	start_monitord --insecure-loopback "$dir/c.yaml" ;;
esac
# caught up: what the node has told is half a second old at most
caught_up() {
	at=$(now)
	"$monitorctl" status --yaml >"$dir/status" || return 1
	sed -n '/^nodes:/,$s/^ *lag_ms: //p' "$dir/status" | awk '{ exit !($1 >= 0 && $1 < 500) }'
}
wait_for 600 "monitord to catch up" caught_up
logged=$(($(field events) - before))
wait $load1 || fail "a program was harmed"
wait $load2 || fail "a program was harmed"
finish
mv "$dir/run.orr" "$dir/away.orr"
mv "$dir/receipt" "$dir/receipt.away"

# the same without disturbance, as fast as goes without a loss
mv "$dir/check" "$dir/check.away"
gone() { ! pgrep -f "collector/collector .*$dir" >/dev/null; }
wait_for 10 "the end of the collector" gone
rm -rf "$ORRERY_DIR"/n1 # processes and messages are numbered from 1 again
[ "$how" != link ] || { kill $relay; wait $relay; }
ready
ORRERY_FULL=wait; export ORRERY_FULL
start_loads $((rate / 2 * 3))
wait $load1 && wait $load2 || fail "a program was harmed"
finish

lost=$(sed -n 's/^lost *//p' "$dir/receipt.away")
awk -v w="$waits" -v m="${SPOOL:-512M}" -v n="$logged" -v s="$start" -v e="$at" -v r="$rate" -v l="$lost" -v a="$away" -v h="$how" 'BEGIN {
	printf "away %d s (%s): events caught up with\t%.0f\tevents\toffered per s\t%d\t\n", a, h, n, r
	printf "away %d s (%s): catching up, times real time\t%.2f\tx\tgoal\t3\t%.2f\n", a, h, n / r / (e - s), n / r / (e - s) / 3
	printf "away %d s (%s): waited in the spool\t%.1f\tMB\tlimit\t%s\t\n", a, h, w / 1e6, m
	printf "away %d s (%s): lost\t%s\tevents\tgoal\t0\t\n", a, h, l
}'
"$BUILD/tests/tools/samelog" "$dir/away.orr" "$dir/run.orr" >"$dir/same" ||
    { cat "$dir/same"; fail "the log is not that of an undisturbed run"; }
cat "$dir/same" >&2

#!/bin/sh
# The whole path, application to log on disk: what it carries without loss,
# and how late the viewer's model is.  Prints lines of bench.tsv.
#
#	path.sh [SECONDS [EVENTS_PER_S]]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
seconds=${1:-30} rate=${2:-3300000}

# what it carries: one node, two threads
printf 'name: bench\ndefaults: { launch: local, ring: 32M, rings: 16, spool: 2G }\nnodes: [ { name: n1 } ]\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
ORRERY_NODE=n1 "$load" --wait --threads 2 --rate "$rate" --seconds "$seconds" >"$dir/load" || fail load
"$monitorctl" shutdown >"$dir/receipt" 2>&1
published=$(awk '/^published/ {print $2}' "$dir/load")
took=$(awk '/^published/ {print $4}' "$dir/load")
lost=$(sed -n 's/.*lost[ :=]*\([0-9][0-9]*\).*/\1/p' "$dir/receipt" | tail -n 1)
bytes=$(stat -c %s "$dir/run.orr")
awk -v p="$published" -v t="$took" -v l="${lost:-?}" -v b="$bytes" -v r="$rate" 'BEGIN {
	printf "path: application to log, sustained %.0f s\t%.0f\tevents/s\tgoal\t3000000\t%.2f\n", t, p / t, p / t / 3e6
	printf "path: lost meanwhile\t%s\tevents\tgoal\t0\t\n", l
	printf "path: log on disk\t%.2f\tbytes/event\tgoal\t5\t%.2f\n", b / p, b / p / 5
}'
wait "$monitord_pid"; monitord_pid=
rm -f "$dir/run.orr"

# how late: four nodes with test clocks, 100,000 events/s together
cluster 4 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "four nodes" nodes_ready 4
for i in 1 2 3 4; do
	ORRERY_NODE=n$i "$load" --wait --rate 25000 --seconds 14 >/dev/null &
done
"$BUILD/tests/bench/latency" "$ORRERY_DIR/monitord.sock" 10
"$monitorctl" shutdown >/dev/null 2>&1

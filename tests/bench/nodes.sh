#!/bin/sh
# Many nodes on this machine: how long until all are on the clock, how long the
# run takes to end half a second later, what monitord and the collectors have
# worked for it.
#
#	nodes.sh [N ...]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
[ $# -gt 0 ] || set -- 32 64 128 256

ms() { echo $(($(date +%s%N) / 1000000)); }
# of monitord and of what it has started, while they live
worked_ms() {
	for p in $(ours); do
		awk '{ print $1 }' "/proc/$p/schedstat" 2>/dev/null
	done | awk '{ s += $1 } END { printf "%d", s / 1e6 }'
}

for n in "$@"; do
	cluster "$n" 'ring: 64K, rings: 16' >"$dir/c.yaml"
	began=$(ms)
	start_monitord "$dir/c.yaml"
	wait_for 120 "$n nodes" nodes_ready "$n"
	ready=$(($(ms) - began))
	worked=$(worked_ms)
	sleep 0.5
	began=$(ms)
	"$monitorctl" shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "shutdown"; }
	ended=$(($(ms) - began))
	wait "$monitord_pid"
	monitord_pid=
	rm -f "$dir/run.orr"
	printf 'nodes: %d, all on the clock\t%d\tms\tworked, all processes\t%d\t\n' "$n" $ready "$worked"
	printf 'nodes: %d, the end of the run\t%d\tms\tgoal\t5000\t\n' "$n" $ended
done

#!/bin/sh
# What malloc and free cost under monitorctl run: the pair, least of many short
# stretches, alternated with the bare program; heaptrack and valgrind's memcheck
# beside it where they are installed.  Prints lines of bench.tsv.
#
#	heap.sh [STRETCHES]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
heap=$BUILD/tests/bench/heap
n=${1:-300}
[ -x "$heap" ] || fail "no $heap: make bench-programs"

# least COMMAND...: of five runs
least() {
	for i in 1 2 3 4 5; do "$@" 2>/dev/null | grep -E '^[0-9.]+$'; done | sort -n | head -n 1
}
# line WHAT NS GOAL: beside bare
line() {
	awk -v what="$1" -v ns="$2" -v bare="$bare" -v goal="$3" 'BEGIN {
		more = ns - bare
		printf "memory: malloc and free, %s, more than %.1f ns\t%.1f\tns\tgoal\t%s\t%.2f\n",
		    what, bare, more, goal, more / goal }'
}
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
bare=$(least "$heap" "$n")
line "no memory told" "$(least "$monitorctl" run --memory off "$heap" "$n")" 8
line "counts" "$(least "$monitorctl" run --memory counts "$heap" "$n")" 8
line "sample" "$(least "$monitorctl" run --memory sample "$heap" "$n")" 8
line "each, with its stack" "$(least "$monitorctl" run --memory all "$heap" "$n")" 130
if command -v heaptrack >/dev/null; then
	line "heaptrack" "$(least heaptrack -o "$dir/heaptrack" "$heap" "$n")" 130
fi

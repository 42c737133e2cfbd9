#!/bin/sh
# What a mutex that nobody else wants costs more under monitorctl run, locked and
# given up, in a program of one thread and in one of several (where the C library
# locks the bus); beside wrappers that do nothing, and that look at its word and
# do nothing.  The least of some runs.
# Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
CC=${CC:-cc}
$CC -O2 -pthread -o "$dir/pairs" tests/bench/peers/lockpairs.c
$CC -O2 -D_GNU_SOURCE -fPIC -shared -o "$dir/nothing.so" tests/bench/peers/lockwrap.c
$CC -O2 -D_GNU_SOURCE -fPIC -shared -DLOOK -o "$dir/look.so" tests/bench/peers/lockwrap.c
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1

# tell WHAT ARGUMENT...: all of them in turn, so that each has the same machine
tell() {
	what=$1
	shift
	for i in 1 2 3 4 5; do
		echo "$("$dir/pairs" "$@") $(LD_PRELOAD=$dir/nothing.so "$dir/pairs" "$@")" \
		    "$(LD_PRELOAD=$dir/look.so "$dir/pairs" "$@")" \
		    "$("$monitorctl" run "$dir/pairs" "$@" 2>>"$dir/err")"
	done | awk -v what="$what" '
		{ for (i = 1; i <= 4; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
		END {
			for (i = 2; i <= 4; i++) least[i] -= least[1]
			printf "locks: pair, %s: more under run\t%.2f\tns\tgoal\t3.00\t%.2f\n", what, least[4], least[4] / 3
			printf "locks: pair, %s: wrapper that does nothing\t%.2f\tns\ta pair by itself\t%.2f\t%.2f\n", what, least[2], least[1], least[2] / least[1]
			printf "locks: pair, %s: wrapper that looks\t%.2f\tns\ta pair by itself\t%.2f\t%.2f\n", what, least[3], least[1], least[3] / least[1]
		}'
}
tell "one thread"
tell "several threads" several

#!/bin/sh
# What a function of a program made with -finstrument-functions costs, its enter
# and its leave together: when nobody listens, with events into a collector,
# filtered; beside hooks in a library that do nothing, or read the cycle counter
# and no more, and beside uftrace.  The least of some runs, without what the
# program takes by itself.  How long the first answer about a file of 50 MB takes
# is in tests/bench/symbols.c.
# Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
CC=${CC:-cc}
lib=$BUILD/libprobe-auto.so
$CC -O2 -o "$dir/plain" tests/bench/peers/pairs.c
$CC -O2 -finstrument-functions -fno-omit-frame-pointer -o "$dir/calls" tests/bench/peers/pairs.c
$CC -O2 -fPIC -shared -o "$dir/nothing.so" tests/bench/peers/hooks.c
$CC -O2 -fPIC -shared -DREAD -o "$dir/reads.so" tests/bench/peers/hooks.c

# least COMMAND...: of some runs, without what the program takes by itself
least() {
	for i in 1 2 3 4 5; do "$@" 2>>"$dir/err"; done | sort -n | head -n 1 |
	    awk -v plain="$plain" '{ print $1 - plain }'
}
# tell WHAT NS REFERENCE NS
tell() {
	awk -v what="$1" -v ns="$2" -v of="$3" -v ref="$4" 'BEGIN {
		printf "functions: %s\t%.2f\tns\t%s\t%.2f\t%.2f\n", what, ns, of, ref,
		    (ref + 0 > 0 ? ns / ref : 0)
	}'
}
plain=0
plain=$(least "$dir/plain")
nothing=$(least env LD_PRELOAD="$dir/nothing.so" "$dir/calls")
reads=$(least env LD_PRELOAD="$dir/reads.so" "$dir/calls")

if command -v uftrace >/dev/null; then
	least timeout 60 uftrace record -d "$dir/uftrace" --no-libcall -F empty "$dir/calls" >"$dir/uf"
	tell "uftrace, enter and leave" "$(cat "$dir/uf")" "hooks that read the counter" "$reads"
	rm -rf "$dir/uftrace"
fi
mkdir -m 700 "$dir/nobody"
tell "enter and leave, nobody listens" \
    "$(least env ORRERY_DIR="$dir/nobody" LD_PRELOAD="$lib" "$dir/calls")" "hooks that do nothing" "$nothing"
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
tell "enter and leave, with events" \
    "$(least "$monitorctl" run "$dir/calls")" "hooks that read the counter" "$reads"
# filtered: by the class, and by the name, known after the first calls
"$monitorctl" probe -call >/dev/null
tell "enter and leave, class left out" \
    "$(least "$monitorctl" run "$dir/calls")" "hooks that do nothing" "$nothing"
"$monitorctl" probe --reset -call:empty >/dev/null
tell "enter and leave, name left out" \
    "$(least "$monitorctl" run "$dir/calls")" "hooks that do nothing" "$nothing"

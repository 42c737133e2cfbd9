#!/bin/sh
# What a function of a program made with -finstrument-functions costs, its enter
# and its leave together: when nobody listens, with events into a collector, filtered;
# beside it uftrace, and what the same program takes without.  How long the
# first answer about a file of 50 MB takes is in tests/bench/symbols.c.
# Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
CC=${CC:-cc}
lib=$BUILD/libprobe-auto.so
$CC -O2 -o "$dir/plain" tests/bench/peers/pairs.c
$CC -O2 -finstrument-functions -fno-omit-frame-pointer -o "$dir/calls" tests/bench/peers/pairs.c
plain=$("$dir/plain")

# tell WHAT NS REFERENCE NS
tell() {
	awk -v what="$1" -v ns="$2" -v of="$3" -v ref="$4" 'BEGIN {
		printf "functions: %s\t%.2f\tns\t%s\t%.2f\t%.2f\n", what, ns, of, ref,
		    (ref + 0 > 0 ? ns / ref : 0)
	}'
}
# less TIME: without what the program takes by itself
less() { awk -v a="$1" -v b="$plain" 'BEGIN { print a - b }'; }

uftrace=0
if command -v uftrace >/dev/null; then
	with=$(timeout 60 uftrace record -d "$dir/uftrace" --no-libcall -F empty "$dir/calls" 2>/dev/null)
	uftrace=$(less "$with")
	rm -rf "$dir/uftrace"
fi
mkdir -m 700 "$dir/nobody"
tell "enter and leave, nobody listens" \
    "$(less "$(ORRERY_DIR="$dir/nobody" LD_PRELOAD="$lib" "$dir/calls")")" "uftrace" "$uftrace"
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
tell "enter and leave, with events" \
    "$(less "$("$monitorctl" run "$dir/calls" 2>"$dir/err")")" "uftrace" "$uftrace"
cat "$dir/err" >&2
# filtered: by the class, and by the name, known after the first calls
"$monitorctl" probe -call >/dev/null
tell "enter and leave, class left out" \
    "$(less "$("$monitorctl" run "$dir/calls" 2>"$dir/err")")" "uftrace" "$uftrace"
"$monitorctl" probe --reset -call:empty >/dev/null
tell "enter and leave, name left out" \
    "$(less "$("$monitorctl" run "$dir/calls" 2>"$dir/err")")" "uftrace" "$uftrace"

#!/bin/sh
# What a program pays for being sampled a thousand times a second, with its chains of
# callers: its processor time, in turn with the same that is not sampled, and alone;
# perf(1) beside it, as often and with chains, where it is installed, as what the
# kernel takes for that at least.  The least of each.  Prints lines of bench.tsv.
#
#	samples.sh [TIMES]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
${CC:-cc} -O2 -fno-omit-frame-pointer -o "$dir/rounds" tests/bench/peers/rounds.c || fail "cannot make rounds"
for how in "" ", sample: 999"; do
	ORRERY_DIR=$dir/seen
	[ -z "$how" ] || ORRERY_DIR=$dir/sampled
	mkdir -m 700 "$ORRERY_DIR"
	printf 'name: samples\nnodes: [ { name: n1, launch: local%s } ]\n' "$how" >"$ORRERY_DIR.yaml"
	start_monitord --log "$ORRERY_DIR.orr" "$ORRERY_DIR.yaml"
	wait_for 10 "a node" nodes_ready 1
done
for i in $(seq "${1:-15}"); do
	echo "$("$dir/rounds") $(ORRERY_DIR=$dir/seen "$monitorctl" run "$dir/rounds" 2>/dev/null)" \
	    "$(ORRERY_DIR=$dir/sampled "$monitorctl" run "$dir/rounds" 2>/dev/null)" \
	    "$(perf record -q -F 999 --call-graph fp -e cpu-clock:u -o "$dir/perf" "$dir/rounds" 2>/dev/null)"
done | awk '
	{ for (i = 1; i <= NF; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
	END {
		printf "samples: processor time under run, sampled at 999 Hz\t%.1f\tms\tnot sampled\t%.1f\t%.4f\n", least[3], least[2], least[3] / least[2]
		printf "samples: processor time under run, not sampled\t%.1f\tms\tby itself\t%.1f\t%.4f\n", least[2], least[1], least[2] / least[1]
		if (4 in least)
			printf "samples: processor time under perf record, 999 Hz\t%.1f\tms\tby itself\t%.1f\t%.4f\n", least[4], least[1], least[4] / least[1]
	}'
n=$("$monitorctl" dump --kind sample_found "$dir/sampled.orr" | wc -l)
[ "$n" -gt 0 ] || fail "nothing was sampled"

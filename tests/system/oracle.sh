#!/bin/sh
# Every figure of report and of the viewer, for the whole of a run whose answers
# are known and for random ranges of it, is what its events say by brute force
# (tests/oracle): half way, when calls are open, and when it is over; with all in
# memory, and with single states given up; and of the log of other programs; and
# of the run as of a clock that ticks seldom, where most happens at one instant;
# and as if stretches of events had been lost here and there.
#
#	ORACLE_RANGES=1000	ranges of each log; 16 in make check, of which a
#				sanitizer's build, with the same figures, has 10
#	ORACLE_SEED=n		others
#	ORACLE_TICKS="n..."	clocks that tick all n ns; 10000 in make check
#	ORACLE_LOSSES="n..."	seeds of what is lost
#
# The last is in no make check yet: of one run in five to ten something differs.
. tests/lib.sh

oracle=$tests/oracle
truth=$BUILD/tests/oracle/truth
other=$BUILD/tests/oracle/other
makelog=$BUILD/tests/bench/makelog
coarse=$BUILD/tests/tools/coarse
lossy=$BUILD/tests/tools/lossy
command -v python3 >/dev/null || skip "no python3"
for p in "$BUILD/viewer/viewer" "$truth" "$other" "$makelog" "$coarse" "$lossy"; do
	[ -x "$p" ] || skip "no $p"
done

case $BUILD in */san|*/tsan) few=10 ;; *) few=16 ;; esac
# figures LOG [OPTION...]: all of them
figures() {
	python3 -B "$oracle/oracle" --build "$BUILD" \
	    --ranges "${ORACLE_RANGES:-$few}" --seed "${ORACLE_SEED:-1}" "$@" ||
	    fail "figures that are not true"
}

"$makelog" "$dir/made.orr" >/dev/null || fail "makelog"
cluster 2 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the nodes" nodes_ready 2
mkfifo "$dir/fifo"
ORRERY_NODE=n1 ORRERY_FULL=wait "$truth" "$other" "$dir/fifo" >"$dir/told" &
program=$!
wait_for 10 "half of it" grep -q "half way" "$dir/told"
half_in_log() { [ "$("$monitorctl" dump --kind receive_wait "$dir/run.orr" | wc -l)" = 1 ]; }
wait_for 10 "it in the log" half_in_log
cp "$dir/run.orr" "$dir/half.orr"
figures --live "$dir/run.orr"
echo go >"$dir/fifo"
wait $program || fail "the program ends with $?"
finish

figures --told "$dir/told" "$dir/run.orr"
mkdir "$dir/x"
python3 -B "$tests/tools/exports.py" "$monitorctl" "$dir/run.orr" "$dir/x" ||
    fail "exports that are not true"
figures "$dir/half.orr" "$dir/made.orr"

case $BUILD in */san|*/tsan) exit 0 ;; esac
for tick in ${ORACLE_TICKS:-${ORACLE_RANGES:+100 1000} 10000}; do
	"$coarse" "$tick" "$dir/run.orr" "$dir/coarse$tick.orr" >/dev/null || fail "coarse"
	figures --ranges $((${ORACLE_RANGES:-4} / 4)) "$dir/coarse$tick.orr"
done

for seed in ${ORACLE_LOSSES:-${ORACLE_RANGES:+2 3 4}}; do
	"$lossy" "$seed" 30 "$dir/run.orr" "$dir/lossy$seed.orr" >/dev/null || fail "lossy"
	figures --ranges $((${ORACLE_RANGES:-8} / 8)) "$dir/lossy$seed.orr"
done

# pieces of memory as a program that knows nothing of this asks for them
for level in all sample; do
	rm "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the nodes" nodes_ready 2
	ORRERY_FULL=wait "$monitorctl" run --memory $level "$BUILD/tests/apps/heap" 100 50 >"$dir/out" 2>&1 ||
	    fail "heap"
	finish
	figures "$dir/run.orr"
done

#!/bin/sh
# As oracle.sh, of the log of programs that know nothing of this: what threads wait
# for has numbers and no names, waits are given up, and those of tasks are
# interrupted; and of all that is exported of it.
#
#	ORACLE_RANGES=1000	random ranges of it; 2 in make check
#	ORACLE_SEED=n		others
. tests/lib.sh

command -v python3 >/dev/null || skip "no python3"
case $BUILD in */san|*/tsan) skip "nothing is loaded before sanitized programs" ;; esac
[ -x "$BUILD/viewer/viewer" ] || skip "no $BUILD/viewer/viewer"

unset ORRERY_COUNTERS
cluster 1 "sched: yes" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
export ORRERY_NODE=n1 ORRERY_FULL=wait
for program in "apps/waits 4" "omp/regions-gcc"; do
	[ -x "$BUILD/tests/${program%% *}" ] || continue
	"$monitorctl" run "$BUILD"/tests/$program >"$dir/out" 2>&1 ||
	    { cat "$dir/out"; fail "$program"; }
done
finish
python3 -B "$tests/oracle/oracle" --build "$BUILD" --ranges "${ORACLE_RANGES:-2}" \
    --seed "${ORACLE_SEED:-1}" "$dir/run.orr" || fail "figures that are not true"
mkdir "$dir/x"
python3 -B "$tests/tools/exports.py" "$monitorctl" "$dir/run.orr" "$dir/x" ||
    fail "exports that are not true"

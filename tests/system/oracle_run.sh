#!/bin/sh
# As oracle.sh, of the log of programs that know nothing of this: what threads wait
# for has numbers and no names, waits are given up, and those of tasks are
# interrupted, ranks of MPI give up those for messages; and of all that is exported
# of it.
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
# calls that say from which line they come, two of them from one
cat >"$dir/calls.c" <<'C'
static volatile int n;
static void
leaf(void)
{
	n++;
}
static void
twice(void)
{
	leaf(); leaf();
}
int
main(void)
{
	for (int i = 0; i < 9; i++)
		twice();
	leaf();
	return (0);
}
C
${CC:-cc} -O0 -g -finstrument-functions -o "$dir/calls" "$dir/calls.c" || fail "cannot make calls"
watch() {
	"$monitorctl" run "$@" >"$dir/out" 2>&1 || { cat "$dir/out"; fail "$*"; }
}
watch "$BUILD/tests/apps/waits" 4
watch "$BUILD/tests/apps/counted" 200 40
[ ! -x "$BUILD/tests/omp/regions-gcc" ] || watch "$BUILD/tests/omp/regions-gcc"
watch "$dir/calls"
# ranks whose waits end with and without a message, in each of three ways: of
# MPICH if it is there, since Open MPI has more than a thousand locks of its own
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for mpi in mpich openmpi; do
	[ -x "$BUILD/tests/mpi/ranks-$mpi" ] || continue
	watch mpirun.$mpi -np 2 "$BUILD/tests/mpi/ranks-$mpi" 3
	break
done
finish
"$monitorctl" report "$dir/run.orr" | awk '
	$1 == "leaf" && $4 == "twice" && $5 ~ /calls.c:10$/ { good += $3 == 18 }
	$1 == "leaf" && $4 == "main" && $5 ~ /calls.c:17$/ { good += $3 == 1 }
	$1 == "twice" && $4 == "main" && $5 ~ /calls.c:16$/ { good += $3 == 9 }
	END { exit good != 3 }' || fail "lines of calls"
python3 -B "$tests/oracle/oracle" --build "$BUILD" --ranges "${ORACLE_RANGES:-2}" \
    --seed "${ORACLE_SEED:-1}" "$dir/run.orr" || fail "figures that are not true"
mkdir "$dir/x"
python3 -B "$tests/tools/exports.py" "$monitorctl" "$dir/run.orr" "$dir/x" ||
    fail "exports that are not true"

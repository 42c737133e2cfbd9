#!/bin/sh
# SIGKILL of a collector, of monitord and of the program, in the middle of what is
# told of a program that knows nothing of Orrery: of its memory, its locks, its
# functions, where it was found by the scheduler and by a sampler, of OpenMP, of MPI,
# of Python.  The deaths of daemons change nothing of what it prints and how it ends;
# what was published by one that was killed is in the log or counted as lost.
#
#	run_kills.sh [KIND...]	only these
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
only=$*

# one that works for some seconds, and is told of by a compiler switch
cat >"$dir/works.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static long n;
static char *kept[64];
__attribute__((noinline)) void leaf(void)
{
	free(kept[n % 64]);
	kept[n % 64] = malloc(1 + (size_t)n % 900);
	n++;
}
__attribute__((noinline)) void branch(void) { for (int i = 0; i < 100; i++) leaf(); }
int main(void)
{
	for (int i = 0; i < 300; i++) {
		branch();
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	printf("%ld\n", n);
	return (7);
}
END
${CC:-cc} -O1 -g -finstrument-functions -fno-omit-frame-pointer -o "$dir/works" "$dir/works.c" &&
    ${CC:-cc} -O1 -g -fno-omit-frame-pointer -o "$dir/holds" "$dir/works.c" || fail "cannot make works"
cat >"$dir/regions.c" <<'END'
#include <stdio.h>
#include <time.h>
int main(void)
{
	long n = 0;
	for (int i = 0; i < 300; i++) {
#pragma omp parallel for reduction(+ : n)
		for (int k = 0; k < 100; k++)
			n += k;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	printf("%ld\n", n);
	return (7);
}
END
cat >"$dir/ring.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv)
{
	long n = 0, from;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 300; i++) {
		MPI_Sendrecv(&n, 1, MPI_LONG, (rank + 1) % size, 1, &from, 1, MPI_LONG,
		    (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		n = from + rank + 1;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	printf("%d %ld\n", rank, n);
	MPI_Finalize();
	return (0);
}
END
cat >"$dir/works.py" <<'END'
import time
def leaf(n): return n + 1
n = 0
for i in range(300):
    for k in range(20): n = leaf(n)
    time.sleep(0.01)
print(n)
raise SystemExit(7)
END

events() { "$monitorctl" status | sed -n 's/^log: .* \([0-9]*\) events,.*/\1/p'; }
worker() {
	for p in $(ours); do
		! tr '\0' ' ' 2>/dev/null <"/proc/$p/cmdline" | grep -q -- '--internal=worker' || echo "$p"
	done
}
# goes_on N: N events more than there were
goes_on() { stored $((was + $1)); }
# watched COMMAND...: it begins, and some of its events have come
watched() {
	was=$(events)
	timeout -s KILL 120 "$monitorctl" run "$@" >"$dir/seen" 2>"$dir/seen.err" </dev/null &
	program=$!
	wait_for 60 "events of $kind" goes_on 40
}

# among KIND NAME OPTION... -- COMMAND...: NAME is that of the process that is killed
among() {
	kind=$1 name=$2
	shift 2
	case " ${only:-$kind} " in *" $kind "*) ;; *) return ;; esac
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	"$@" >"$dir/bare" 2>"$dir/bare.err" </dev/null
	code=$?
	# a collector may be back only when the program is over: then once more
	for i in 1 2 3 4 5; do
		# shellcheck disable=SC2086
		watched $options "$@"
		kill -KILL "$(worker)" || fail "$kind: no collector"
		was=$(events)
		wait_for 60 "$kind after the collector's death" goes_on 1
		! kill -0 $program 2>/dev/null || break
		wait $program
	done
	kill -KILL $monitord_pid
	wait $monitord_pid 2>/dev/null
	kill -0 $program || fail "$kind is over before monitord was killed"
	start_monitord "$dir/c.yaml"
	wait $program
	got=$?
	[ $got = $code ] || { cat "$dir/seen.err"; fail "$kind: it ends with $got, not $code"; }
	sort "$dir/bare" >"$dir/bare.sorted"
	sort "$dir/seen" | cmp "$dir/bare.sorted" - || fail "$kind: another output"
	wait_for 60 "the node" nodes_ready 1

	# shellcheck disable=SC2086
	watched $options "$@"
	for p in $(ours); do
		[ "$(cat "/proc/$p/comm" 2>/dev/null)" != "$name" ] || one=$p
	done
	kill -KILL "$one" || fail "$kind: it is over before it was killed"
	wait $program 2>/dev/null && fail "$kind: killed, and it ends well"
	tried="$tried $kind"
}

tried=
cluster 1 "sched: yes, sample: 199" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
among memory holds --memory all -- "$dir/holds"
among locks waits -- "$BUILD/tests/apps/waits" 1500
among functions works --memory off -- "$dir/works"
for c in gcc clang; do
	! $c -O1 -g -fopenmp -o "$dir/regions-$c" "$dir/regions.c" 2>/dev/null ||
	    among OpenMP-$c regions-$c -- "$dir/regions-$c"
done
for m in openmpi mpich; do
	! mpicc.$m -O1 -o "$dir/ring-$m" "$dir/ring.c" 2>/dev/null ||
	    among MPI-$m ring-$m -- mpirun.$m -np 2 "$dir/ring-$m"
done
[ ! -x /usr/bin/python3 ] || among Python python3 --python -- /usr/bin/python3 "$dir/works.py"
finish
# each of the killed ones has begun, and those that could not say so have ended, too
"$monitorctl" dump --kind po_begin "$dir/run.orr" | wc -l >"$dir/begun"
"$monitorctl" dump --kind po_end "$dir/run.orr" | wc -l | cmp - "$dir/begun" || fail "processes have begun that do not end"
echo "unharmed by deaths, and told to the end:$tried"

#!/bin/sh
# hpcc with 4 ranks, as it is: each of its messages between two ranks is in the
# log, matched, as many and with as many bytes as a profiler of MPI's own kind
# has counted in the same run.  Debian's hpcc is linked with Open MPI; HPCC_MPICH
# is one that was built with MPICH.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
cp tests/mpi/hpccinf.txt "$dir/hpccinf.txt"
# one MPI HPCC [OPTION...]: the profiler comes behind what is loaded before the
# ranks
one() {
	mpi=$1 hpcc=$2
	shift 2
	counter=$(cd "$BUILD" && pwd)/tests/mpi/libcounter-$mpi.so
	[ -e "$counter" ] && command -v "$hpcc" >/dev/null || return
	found="$found $mpi"
	rm -f "$dir"/count.[0-9]* "$dir/hpccoutf.txt"
	cluster 1 >"$dir/c.yaml"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	(cd "$dir" && COUNTER=$dir/count LD_PRELOAD=$counter "$monitorctl" run --full wait \
	    mpirun.$mpi "$@" -np 4 "$hpcc" >"$dir/out" 2>&1) ||
	    { tail "$dir/out"; fail "$mpi: hpcc"; }
	grep -q '^Success=1' "$dir/hpccoutf.txt" || fail "$mpi: hpcc is not successful"
	finish
	cat "$dir"/count.[0-9]* | tee "$dir/counts"
	"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
	python3 tests/mpi/matched.py "$dir/rows" "$dir/counts" || fail "$mpi: not matched"
	"$monitorctl" check "$dir/run.orr" || fail "$mpi: the log does not check"
	mv "$dir/run.orr" "$dir/$mpi.orr"
}

found=
one openmpi hpcc -x COUNTER
one mpich "${HPCC_MPICH:-no-hpcc-of-mpich}"
[ -n "$found" ] || skip "hpcc is not installed, or no MPI"
echo "matched:$found"

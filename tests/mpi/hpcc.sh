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
cat >"$dir/hpccinf.txt" <<'END'
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
200          Ns
1            # of NBs
32           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200 10000 30000        values of N
0            number of additional blocking sizes for PTRANS
40 9 8 13 13 20 16 32 64       values of NB
END
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

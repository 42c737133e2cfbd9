#!/bin/sh
# What a call of MPI costs more under monitorctl run, with each MPI that is here: of
# messages (MPI_Irecv, MPI_Send, MPI_Wait) and of MPI_Barrier, by one rank that talks
# to itself, so that nobody is waited for.  In turn with the program alone, the least
# of some runs.  Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1

found=
for mpi in openmpi mpich; do
	command -v mpicc.$mpi >/dev/null || continue
	found=yes
	mpicc.$mpi -O2 -o "$dir/calls" tests/bench/peers/mpicalls.c || fail "$mpi"
	for i in 1 2 3; do
		echo "$("$dir/calls") $("$monitorctl" run "$dir/calls" 2>>"$dir/err")"
	done | awk -v mpi=$mpi '
		{ for (i = 1; i <= 4; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
		function tell(what, bare, with) {
			printf "MPI: %s, %s, a call of %.0f ns: more under run\t%.0f\tns\tgoal\t1000\t%.3f\n",
			    mpi, what, bare, with - bare, (with - bare) / 1000
		}
		END { tell("messages", least[1], least[3]); tell("MPI_Barrier", least[2], least[4]) }'
done
[ -n "$found" ] || skip "no MPI is installed"

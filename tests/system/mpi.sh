#!/bin/sh
# MPI programs that know nothing of Orrery, with each MPI that is here: they
# print what they print without, and every message and collective operation of
# theirs is in the log, matched as the ranks have counted.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

found=
for mpi in openmpi mpich; do
	ranks=$BUILD/tests/mpi/ranks-$mpi
	command -v mpirun.$mpi >/dev/null && [ -x "$ranks" ] || continue
	n=3
	[ $mpi = openmpi ] || n=2 # ranks of MPICH keep the processors busy
	found="$found $mpi"
	cluster 1 >"$dir/c.yaml"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	mpirun.$mpi -np $n "$ranks" 6 >"$dir/bare" 2>"$dir/bare.err" || fail "$mpi alone"
	"$monitorctl" run mpirun.$mpi -np $n "$ranks" 6 >"$dir/seen" 2>"$dir/seen.err" || fail "$mpi"
	sort "$dir/bare" >"$dir/bare.sorted"
	sort "$dir/seen" | cmp - "$dir/bare.sorted" || fail "$mpi: another output"
	grep -v '^monitorctl: ' "$dir/seen.err" | cmp "$dir/bare.err" - || fail "$mpi: other errors"
	# without a launcher, a rank of its own; beside the others, whose numbers it has
	"$monitorctl" run "$ranks" 2 >"$dir/alone" 2>/dev/null || fail "$mpi: one rank"
	cat "$dir/alone" >>"$dir/seen"
	finish
	"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
	python3 tests/mpi/matched.py "$dir/rows" "$dir/seen" || fail "$mpi: not matched"
	"$monitorctl" report "$dir/run.orr" >"$dir/report"
	grep -q "ranks-$mpi  *rank 1 " "$dir/report" || fail "$mpi: ranks have no names"
	mv "$dir/run.orr" "$dir/$mpi.orr"
done
[ -n "$found" ] || skip "no MPI is installed"
echo "matched:$found"

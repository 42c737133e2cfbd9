#!/bin/sh
# MPI programs that know nothing of Orrery, with each MPI that is here: they
# print what they print without, and every message and collective operation of
# theirs is in the log, matched as the ranks have counted.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# neighbours <ROWS: those who sent 40 messages did so to two others, to each 20
neighbours() {
	python3 -c '
import collections, csv, sys
by, to, pairs = {}, {}, collections.Counter()
for row in csv.DictReader(sys.stdin, delimiter="\t"):
    if row["kind"] in ("send", "receive") and row["a"] != "0":
        (by if row["kind"] == "send" else to)[row["a"]] = row["location"]
of = collections.Counter(by.values())
for message, sender in by.items():
    if of[sender] == 40:
        pairs[sender, to[message]] += 1
sys.exit(sorted(pairs.values()) != 8 * [20])'
}

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
	"$monitorctl" run mpirun.$mpi -np $n "$ranks" 6 >"$dir/seen" 2>"$dir/seen.err" ||
	    { tail -n 20 "$dir/seen.err"; fail "$mpi, watched"; }
	sort "$dir/bare" >"$dir/bare.sorted"
	sort "$dir/seen" | cmp - "$dir/bare.sorted" || fail "$mpi: another output"
	grep -v '^monitorctl: ' "$dir/seen.err" | cmp "$dir/bare.err" - || fail "$mpi: other errors"
	# without a launcher, a rank of its own; beside the others, whose numbers it has
	"$monitorctl" run "$ranks" 2 >"$dir/alone" 2>/dev/null || fail "$mpi: one rank"
	cat "$dir/alone" >>"$dir/seen"
	if [ $mpi = openmpi ]; then # an example, of 4 ranks that keep them busy
		"$monitorctl" run mpirun.openmpi -np 4 "$BUILD/examples/parallel/torus-openmpi" \
		    >"$dir/torus" 2>/dev/null || fail "torus"
		says "$dir/torus" '^torus 2 x 2, rounds 10, sum 58593750$'
		[ "$(grep -c 'sent 40 320 received 40 320$' "$dir/torus")" = 4 ] || fail "$(cat "$dir/torus")"
		grep sent "$dir/torus" >>"$dir/seen"
	fi
	finish
	"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
	python3 tests/mpi/matched.py "$dir/rows" "$dir/seen" || fail "$mpi: not matched"
	[ $mpi = mpich ] || neighbours <"$dir/rows" || fail "not only neighbours on the torus"
	"$monitorctl" report "$dir/run.orr" >"$dir/report"
	grep -q "ranks-$mpi  *rank 1 " "$dir/report" || fail "$mpi: ranks have no names"
	mv "$dir/run.orr" "$dir/$mpi.orr"
done
[ -n "$found" ] || skip "no MPI is installed"
echo "matched:$found"

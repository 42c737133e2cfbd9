#!/bin/sh
# Programs that publish more names than anybody should, with children that
# inherit them: everything of them and of a neighbour is in the log or counted
# as lost, and the run ends as quickly as ever.
#
#	names.sh [NAMES:CHILDREN ...]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
[ $# -gt 0 ] || set -- 100000:8 20000:64 1000000:0
printf 'name: names\nnodes: [ { name: n1, launch: local } ]\n' >"$dir/c.yaml"

ms() { echo $(($(date +%s%N) / 1000000)); }
field() { awk -v w="$1" '$1 == w { print $2 }' "$dir/receipt"; }
notes() { "$monitorctl" dump --kind note "$dir/run.orr" | grep -cE "$1"; }

for c in "$@"; do
	n=${c%:*} children=${c#*:}
	start_monitord "$dir/c.yaml"
	wait_for 10 "a node" nodes_ready 1
	began=$(ms)
	"$BUILD/tests/apps/memory" names "$n" "$children" >"$dir/out" &
	program=$!
	"$BUILD/tests/apps/rawtime" 2 20000 20000 >"$dir/neighbour" 2>&1 || fail "the neighbour of $c"
	wait $program || { cat "$dir/out"; fail "$c"; }
	took=$(($(ms) - began))
	began=$(ms)
	finish
	ended=$(($(ms) - began)) # with the check of the log
	of_children=$(notes 'text=(object|child)-[0-9]+')
	of_neighbour=$(notes 'text=raw')
	lost=$(field lost)
	# of who could not attach in time nothing is known, and that is counted
	unseen=$(field unattached)
	[ $((of_children + lost + 2 * unseen)) -ge $((2 * children)) ] ||
	    { cat "$dir/receipt"; fail "$of_children notes of $children children, $lost lost, $unseen unattached"; }
	[ "$of_neighbour" = 40000 ] || fail "the neighbour has $of_neighbour events, not 40000"
	echo "names: $n, $children children: refused $(sed -n 's/^refused: //p' "$dir/out"), $of_children of $((2 * children)) notes stored, $lost lost, $unseen children unattached;" \
	    "neighbour $of_neighbour of 40000; run $took ms, shutdown and check $ended ms"
	rm -f "$dir/run.orr"
done

#!/bin/sh
# Programs of OpenMP as gcc and clang make them, with nothing said to them: the
# same output, and each region, member, task, barrier and critical section of
# which it is known how many there are.
. tests/lib.sh

case $BUILD in */san|*/tsan) skip "nothing is loaded before sanitized programs" ;; esac
[ -x "$BUILD/tests/omp/regions-gcc" ] || skip "no OpenMP here"
cluster 1 >"$dir/c.yaml"

# is KIND NUMBER: so many events of the kind
is() {
	n=$(awk -v kind="$1" '$3 == kind' "$dir/dump" | wc -l)
	[ "$n" -eq "$2" ] || fail "$compiler: $n of $1, not $2"
}
# named WORD NUMBER: so many tasks begin that are called so
named() {
	n=$(grep -c "task_begin .*procedure=\"\{0,1\}$1" "$dir/dump")
	[ "$n" -eq "$2" ] || fail "$compiler: $n tasks are called $1, not $2"
}

# process PROGRAM: its number, "n1/1"
process() { sed -n "s,.* \(n1/[0-9]*\)\.0 po_begin .*program=$1-$compiler.*,\1,p" "$dir/whole"; }

for compiler in gcc clang; do
	program=$BUILD/tests/omp/regions-$compiler
	[ -x "$program" ] || continue
	rm -f "$dir"/run*.orr
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	"$program" >"$dir/bare" || fail "$compiler: the program ends with $?"
	ORRERY_NODE=n1 timeout -s KILL 60 "$monitorctl" run "$program" \
	    >"$dir/with" 2>"$dir/run.err" || { cat "$dir/run.err"; fail "$compiler: with us it ends with $?"; }
	cmp "$dir/bare" "$dir/with" || fail "$compiler: it prints something else"
	ORRERY_NODE=n1 timeout -s KILL 60 "$monitorctl" run "$BUILD/examples/parallel/queens-$compiler" \
	    >"$dir/queens" 2>"$dir/run.err" || { cat "$dir/run.err"; fail "$compiler: queens"; }
	says "$dir/queens" '^queens 6: tasks 152, solutions 4$'
	finish
	says "$dir/receipt" "^orphans *0$"
	says "$dir/receipt" "^lost *0$"
	"$monitorctl" dump "$dir/run.orr" >"$dir/whole"
	# the example: the search is a tree, and this is how many it has on each level
	levels=$(grep -F " $(process queens)." "$dir/whole" |
	    sed -n 's/.* task_spawn task=\([^ ]*\) parent=\([^ ]*\) .*/\1 \2/p' | awk '
		$2 == "0x0" { program = $1; next }
		{ level[$1] = $2 == program ? 0 : level[$2] + 1; n[level[$1]]++ }
		END { for (i = 1; i in n; i++) printf "%s%d", i == 1 ? "" : " ", n[i] }')
	[ "$levels" = "6 20 36 46 40 4" ] || fail "$compiler: levels of queens: $levels"
	grep -F " $(process regions)." "$dir/whole" >"$dir/dump"
	# fib, 20 loops, critical sections, the chain, barriers
	is block_begin 24
	is block_end 24
	is member_begin 48
	is member_end 48
	# fib(10) makes 2 (fib(11) - 1) tasks, the chain 10, the groups 2
	is task_spawn $((176 + 10 + 2 + 48 + 1))
	is task_begin $((176 + 10 + 2 + 48 + 1))
	is task_end $((176 + 10 + 2 + 48 + 1))
	is task_join $((176 + 10 + 2))
	named program 1
	named parallel 48
	named task $((176 + 10 + 2))
	# of the lock of the critical section; LLVM's runtime has locks of its own, which
	# are told of if somebody had to wait
	critical=$(awk '$3 == "lock_acquire" { n[$4]++ } END { for (l in n) if (n[l] > most) { most = n[l]; which = l }; print which }' "$dir/dump")
	for k in lock_acquire lock_release; do
		n=$(awk -v kind=$k -v lock="$critical" '$3 == kind && $4 == lock' "$dir/dump" | wc -l)
		[ "$n" -eq 100 ] || fail "$compiler: $n of $k, not 100"
	done
	# the rows of a barrier are as many as it has parties
	n=$(grep -c "barrier_enter .*turn=3 parties=2" "$dir/dump")
	[ "$n" -eq 2 ] || fail "$compiler: $n have come to the third barrier"
	[ "$(awk '$3 == "barrier_enter"' "$dir/dump" | wc -l)" -ge 6 ] || fail "$compiler: barriers"
	# at the end of a region all members wait for each other
	n=$(grep -c "barrier_enter .*turn=2147483648 parties=2" "$dir/dump")
	[ "$n" -eq 48 ] || fail "$compiler: $n have come to the end of a region"
	# who makes a task is one, so that they are one tree
	! grep "task_spawn .*parent=0x0 " "$dir/dump" | grep -v "procedure=program" ||
	    fail "$compiler: a task of nobody"
	# libgomp tells nobody what depends on what; libomp what is not done yet
	[ $compiler = gcc ] || is future_set 10
	[ "$(awk '$3 == "future_get"' "$dir/dump" | wc -l)" -le 9 ] ||
	    fail "$compiler: more dependences than there are"
done

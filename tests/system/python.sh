#!/bin/sh
# A program in Python that knows nothing of Orrery: the same output and exit
# code, and each call and return of its functions, threads and child.
. tests/lib.sh

case $BUILD in */san|*/tsan) skip "nothing is loaded before sanitized programs" ;; esac
python=/usr/bin/python3
[ -x $python ] || skip "no $python"
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1

program=$tests/apps/calls.py
$python "$program" >"$dir/bare"
bare=$?
ORRERY_NODE=n1 timeout -s KILL 60 "$monitorctl" run --python $python "$program" \
    >"$dir/with" 2>"$dir/run.err"
with=$?
[ $bare -eq 4 ] && [ $with -eq 4 ] || { cat "$dir/run.err"; fail "it ends with $bare, with us with $with"; }
cmp "$dir/bare" "$dir/with" || fail "it prints something else"
# without the word nothing is told of its functions
ORRERY_NODE=n1 "$monitorctl" run $python -c 'def quiet(): pass
quiet()' 2>"$dir/run.err" || fail "a second run"
says "$dir/run.err" "events of 1 thread, .*run --python' tells of functions"
finish
says "$dir/receipt" "^lost *0$"
"$monitorctl" dump "$dir/run.orr" >"$dir/dump"

# is FUNCTION NUMBER: so often it is called, and left
is() {
	for kind in enter leave; do
		n=$(awk -v kind=$kind '$3 == kind' "$dir/dump" | grep -c "function=\"\{0,1\}$1\"\{0,1\}\( \|\$\)")
		[ "$n" -eq "$2" ] || fail "$n of $kind of $1, not $2"
	done
}
is leaf $((1000 + 1 + 1 + 28 + 1))
is middle 100
is fib 177
is raises 20
is numbers 4 # once for each time that it goes on
is Shop.serve 1
is Shop.Counter.serve 1
is work 4
is quiet 0
# each at its place; threads have their names
"$monitorctl" report --yaml "$dir/run.orr" >"$dir/report"
grep 'Shop.Counter.serve' "$dir/report" | grep -q 'calls.py:37' ||
    fail "no place: $(grep -A3 'Shop' "$dir/report")"
for i in 0 1 2 3; do
	grep -q "thread_name .*worker-$i" "$dir/dump" || fail "worker-$i has no name"
done

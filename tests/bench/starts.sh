#!/bin/sh
# What a program pays for being started with libprobe: beside the same one that
# was compiled with -DPROBE_OFF, in turn; and 500 of them at once.  Prints lines
# of bench.tsv.
#
#	starts.sh [TIMES]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
times=${1:-400}
starts=$BUILD/tests/bench/starts
with=$BUILD/tests/apps/brief without=$BUILD/off/tests/apps/brief

# one STATE GOAL: a program after the other; GOAL in us
one() {
	"$starts" "$times" "$with" "$without" >"$dir/one" || fail "$1"
	awk -v s="$1" -v goal="$2" '{
		printf "start: %s, longer than without libprobe (%d us)\t%d\tus\tgoal\t%d\t%.2f\n",
		    s, $2, $3, goal, $3 / goal }' "$dir/one"
}
# all STATE: 500 at once, beside 500 without libprobe
all() {
	a=$("$starts" -a 500 "$with") || fail "$1"
	b=$("$starts" -a 500 "$without") || fail "$1"
	awk -v s="$1" -v a="$a" -v b="$b" 'BEGIN {
		printf "start: 500 programs at once, %s\t%.0f\tms\twithout libprobe\t%.0f\t%.2f\n", s, a, b, a / b }'
}

ORRERY=off
export ORRERY
one "ORRERY=off" 200
unset ORRERY
one "no collector" 200
all "no collector"
printf 'name: starts\nnodes: [ { name: n1, launch: local } ]\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
one "collector" 1000
all "collector"
child() { pgrep -P "$1" | head -n 1; }
worker=$(child "$(child "$monitord_pid")")
kill -STOP "$worker"
awk -v t="$("$starts" -a 1 "$with")" 'BEGIN {
	printf "start: the first at a stopped collector\t%.0f\tms\tgoal\t1000\t%.2f\n", t, t / 1000 }'
one "stopped collector, after the first second" 1000
all "stopped collector"
kill -CONT "$worker"
"$monitorctl" shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "shutdown"; }
wait "$monitord_pid"
monitord_pid=

#!/bin/sh
# What those pay that start many short processes, under one collector: the
# processor time of a shell, of make and of 10,000 processes, with all that they
# start, under monitorctl run beside without, in turn, the least of both; and
# whether the last ones cost as much as the first.  Then what the collector takes
# while nothing happens, and how long the end of the run.  Prints lines of bench.tsv.
#
#	shorts.sh [TIMES]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
times=${1:-5}
starts=$BUILD/tests/bench/starts

# beside WHAT TIMES COMMAND
beside() {
	"$starts" -c "$2" "exec '$monitorctl' run $3 >'$dir/o' 2>&1" "exec $3 >'$dir/o' 2>&1" >"$dir/ms" || fail "$1"
	awk -v what="$1" '{ printf "short: %s, with processor time\t%.1f\tms\twithout\t%.1f\t%.3f\n", what, $1, $2, $1 / $2 }' "$dir/ms"
}

echo 'i=0; while [ $i -lt 300 ]; do x=$(:); i=$((i + 1)); done' >"$dir/forks"
echo 'i=0; while [ $i -lt 300 ]; do x=$(/bin/echo $i | /bin/cat); i=$((i + 1)); done' >"$dir/pipes"
echo "i=0; while [ \$i -lt \${1:-2000} ]; do /bin/true; i=\$((i + 1)); done" >"$dir/true"
mkdir "$dir/make"
printf 'all: $(patsubst %%.c,%%.o,$(wildcard *.c))\n%%.o: %%.c; cc -c -o $@ $<\nclean:; rm -f *.o\n' >"$dir/make/Makefile"
i=0
while [ $i -lt 200 ]; do
	echo "int f$i(int a) { return (a + $i); }" >"$dir/make/f$i.c"
	i=$((i + 1))
done

printf 'name: shorts\nnodes: [ { name: n1, launch: local } ]\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
beside '300 $(:) of bash' "$times" "bash '$dir/forks'"
beside '300 $(echo | cat) of bash' "$times" "bash '$dir/pipes'"
beside "2,000 of 10,000 true, first" 1 "sh '$dir/true'"
beside "10,000 true" 1 "sh '$dir/true' 6000"
beside "2,000 of 10,000 true, last" 1 "sh '$dir/true'"
beside "make of 200 files" 2 "make -s -C '$dir/make' clean all"

# ticks: of the processor time of keeper, worker and helper
ticks() {
	for p in $(ours); do
		case $(readlink "/proc/$p/exe") in */collector) sed 's/.*) //' "/proc/$p/stat" ;; esac
	done | awk '{ n += $12 + $13 } END { print n }'
}
sleep 1
before=$(ticks)
[ "$before" -gt 0 ] || fail "a collector without processor time"
sleep 10
awk -v t=$(($(ticks) - before)) -v hz="$(getconf CLK_TCK)" 'BEGIN {
	printf "short: collector while nothing happens\t%.2f\t%% of a processor\tgoal\t2\t%.2f\n", t * 10 / hz, t * 5 / hz }'
began=$(date +%s%N)
"$monitorctl" shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "shutdown"; }
awk -v t=$((($(date +%s%N) - began) / 1000000)) 'BEGIN {
	printf "short: shutdown\t%d\tms\tgoal\t1000\t%.2f\n", t, t / 1000 }'
wait "$monitord_pid"
monitord_pid=

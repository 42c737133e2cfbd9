#!/bin/sh
# 64 collectors and 256 POs on this machine: the load and a demo program run
# among them, status answers, the receipt is exact.
#
#	COLLECTORS=64 POS=4 sh tests/system/many.sh
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
collectors=${COLLECTORS:-64} pos=${POS:-4}
case $BUILD in */san) collectors=8 ;; esac

cluster "$collectors" 'ring: 64K, rings: 16' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 60 "$collectors nodes" nodes_ready "$collectors"
pids=
i=1
while [ $i -le "$collectors" ]; do
	j=0
	while [ $j -lt "$pos" ]; do
		ORRERY_NODE=n$i "$load" --rate 500 --seconds 8 >"$dir/load.$i.$j" &
		pids="$pids $!"
		j=$((j + 1))
	done
	i=$((i + 1))
done
start=$(date +%s%N)
"$monitorctl" status >"$dir/status" || fail "status does not answer"
ms=$((($(date +%s%N) - start) / 1000000))
ORRERY_NODE=n3 "$BUILD/examples/pascal" 20 --pes 3 --spin 0 >/dev/null || fail "pascal"
for p in $pids; do wait $p || fail "a program was harmed"; done
finish
want=$(cat "$dir"/load.* | awk '{ s += $2 } END { print s }')
got=$(awk '/^published/ { print $2 }' "$dir/receipt")
# each load says its workers' events and its thread_create; the thread_end of
# each thread and pascal come on top
[ "$got" -ge "$want" ] || fail "the programs published $want, the receipt says $got"
"$monitorctl" report "$dir/run.orr" >"$dir/report" || fail "report"
n=$("$monitorctl" dump --kind po_begin "$dir/run.orr" | wc -l)
[ "$n" -ge $((collectors * pos + 1)) ] || fail "$n POs, not $((collectors * pos + 1))"
echo "$collectors collectors, $n POs, status in $ms ms, published $got"
cat "$dir/receipt"

#!/bin/sh
# A run on four clocks that are apart and drift, fitted again afterwards: the
# new log is as good as the old one, has the same events, and can be refitted,
# drawn and read.  What is no log, and what is in the way, is said.
. tests/lib.sh

drones=$BUILD/examples/drones
for p in "$monitord" "$BUILD/collector/collector" "$monitorctl" "$drones"; do
	[ -x "$p" ] || skip "no $p"
done
talking() {
	"$monitorctl" status | grep -q 'us (messages)'
}

cluster 4 >"$dir/cluster.yaml"
start_monitord "$dir/cluster.yaml"
wait_for 20 "four nodes on the clock" nodes_ready 4
# on a machine that keeps nodes from the processor messages may say nothing
tightened() {
	talking && return
	ends_with 0 "$monitorctl" run "$drones" --pace 5 --hops 400
	talking
}
wait_for 60 "clocks that messages have tightened" tightened
finish

ends_with 0 "$monitorctl" refit "$dir/run.orr"
says "$dir/out" '^clocks: 4 fitted again, 0 as they were$'
says "$dir/out" '^nothing written'
ends_with 0 "$monitorctl" refit -o "$dir/new.orr" "$dir/run.orr"
says "$dir/out" '^events: [1-9][0-9]*, messages between nodes [1-9]'
says "$dir/out" '^ +reversed messages +[0-9.]+ +[0-9.]+ %$'
says "$dir/out" '^moved: mean .* us$'
[ ! -e "$dir/new.orr.part" ] || fail "a part is left"
ends_with 0 "$monitorctl" check "$dir/new.orr"
orphans=$(sed -n 's/^violations.*, //p' "$dir/check") # of a slow machine
says "$dir/out" "^violations 0, lost 0, late [0-9]+, $orphans\$"
receipt=$(grep '^receipt' "$dir/out")
[ "$receipt" = "$(grep '^receipt' "$dir/check")" ] || fail "another receipt: $receipt"
"$monitorctl" dump "$dir/run.orr" | sed 's/^[^ ]* //; s/ shifted=.*//' | sort >"$dir/a"
"$monitorctl" dump "$dir/new.orr" | sed 's/^[^ ]* //; s/ shifted=.*//' | sort >"$dir/b"
cmp "$dir/a" "$dir/b" || fail "other events"
! cmp -s "$dir/run.orr" "$dir/new.orr" || fail "nothing has changed"
if [ -x "$BUILD/viewer/viewer" ]; then
	ends_with 0 "$BUILD/viewer/viewer" --describe --view process-time "$dir/new.orr"
fi
# what has been refitted can be refitted, and an unfinished log as well
ends_with 0 "$monitorctl" refit --pings-only "$dir/new.orr"
says "$dir/out" '^clocks: 4 fitted again'
head -c "$(($(wc -c <"$dir/run.orr") * 9 / 10))" "$dir/run.orr" >"$dir/cut.orr"
ends_with 0 "$monitorctl" refit -o "$dir/cut2.orr" "$dir/cut.orr"

ends_with 73 "$monitorctl" refit -o "$dir/new.orr" "$dir/run.orr"
says "$dir/out" 'is there already'
ends_with 73 "$monitorctl" refit -o "$dir/no/such/dir.orr" "$dir/run.orr"
ends_with 65 "$monitorctl" refit "$dir/cluster.yaml"
ends_with 66 "$monitorctl" refit "$dir/none.orr"
ends_with 64 "$monitorctl" refit
ends_with 64 "$monitorctl" refit --nonsense "$dir/run.orr"
ends_with 0 "$monitorctl" refit --help
echo "refitted: $receipt"

#!/bin/sh
# What has befallen a collector is in the status until it is back, and no longer.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

collectors() {
	for p in $(ours); do
		grep -qsa -e --internal "/proc/$p/cmdline" && echo "$p"
	done
}
worker() { "$monitorctl" status --yaml | sed -n 's/^ *pid: //p'; }
other_worker() { w=$(worker) && [ "${w:-0}" -gt 0 ] && [ "$w" != "$1" ]; }
noted() { "$monitorctl" status --yaml | grep -q '^ *note: '; }
well() { ! noted && nodes_ready 1; }

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1

# the keeper: its worker starts another, and the node never was away
kill -KILL "$(pgrep -P "$monitord_pid")"
wait_for 10 "its end" grep -q 'killed by signal 9' "$dir/monitord.err"
wait_for 10 "the note to go" well
# all of it: it is started again, and the node comes back
old=$(worker)
kill -STOP "$old" # or it would start another keeper
kill -KILL $(collectors)
wait_for 10 "another collector" other_worker "$old"
wait_for 10 "the note to go" well
finish
echo "notes: ok"

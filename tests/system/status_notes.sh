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

# ssh: its own words with a hint, and longer and longer pauses
cat >"$dir/ssh" <<'END'
#!/bin/sh
printf 'Warning: remote port forwarding failed for listen path /tmp/x\033[31m\r\n' >&2
exit 255
END
chmod +x "$dir/ssh"
printf 'name: test\nnodes:\n  - { name: far, launch: ssh, host: nowhere, ssh: %s }\n' "$dir/ssh" >"$dir/c.yaml"
rm "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "a pause of more than a second" grep -q 'node far: its ssh has exited with 255; starting it again in 1280 ms' "$dir/monitord.err"
says "$dir/monitord.err" '^monitord: node far: Warning: remote port forwarding failed .*x1b.*AllowStreamLocalForwarding'
"$monitorctl" status >"$dir/status"
says "$dir/status" 'far .* its ssh has exited with 255: Warning: remote port forwarding failed .*AllowStreamLocalForwarding yes'
kill "$monitord_pid"
wait "$monitord_pid" 2>/dev/null
monitord_pid=
echo "notes: ok"

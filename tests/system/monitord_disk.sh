#!/bin/sh
# Where the log cannot be: a missing directory, one that is not writable, a
# disk that gets full and has room again.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v prlimit >/dev/null || skip "no prlimit here"

refused 73 'cannot open the log .*/nowhere/run.orr: No such file or directory; name another' \
    "$monitord" --log "$dir/nowhere/run.orr"
# /proc is not writable for root either
refused 73 'cannot open the log /proc/run.orr' "$monitord" --log /proc/run.orr
refused 73 'cannot open the log .*: Is a directory' "$monitord" --log "$dir"

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 2 --rate 20000 --seconds 4 >"$dir/load" &
load_pid=$!
wait_for 10 "events in the log" stored 1000
# the disk is full: no byte more for monitord
size=$(stat -c %s "$dir/run.orr")
prlimit --pid $monitord_pid --fsize="$size:"
grown=$(stat -c %s "$dir/run.orr") # meanwhile
[ "$grown" -le "$size" ] || size=$grown
full() { "$monitorctl" status | grep -q 'CANNOT BE WRITTEN'; }
wait_for 10 "monitord to say that the disk is full" full
grep -q 'cannot write the log: .*File too large; nothing is lost' "$dir/monitord.err" ||
    fail "nothing was said about the disk"
wait $load_pid || fail "the program was harmed"
full || fail "there is room again, but nobody has made any"
[ "$(stat -c %s "$dir/run.orr")" -le "$size" ] || fail "the log has grown on a full disk"
prlimit --pid $monitord_pid --fsize=unlimited:
room() { ! full; }
wait_for 10 "monitord to write again" room
finish
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load")
grep -qE '^lost +0$' "$dir/receipt" || { cat "$dir/receipt"; fail "events were lost"; }
stored=$(sed -n 's/^stored *//p' "$dir/receipt")
[ "$stored" -ge "$published" ] || fail "published $published, stored $stored"
echo "disk: ok, $published events"

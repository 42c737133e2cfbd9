#!/bin/sh
# The spool of a collector vanishes while monitord is away: what was in it and
# not in the log is a counted loss with a place, the node is accepted again,
# and everything after it is stored.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 2 --rate 100000 --seconds 6 >"$dir/load" &
load_pid=$!
spool=$ORRERY_DIR/n1/spool
wait_for 10 "the spool" test -d "$spool"
wait_for 10 "events in the log" stored 10000
# nothing is acknowledged from here on, and more comes than a socket holds
kill -STOP $monitord_pid
spooled() { cat "$spool"/*.spool | wc -c; }
was=$(spooled)
more() { [ $(($(spooled) - was)) -gt 400000 ]; }
wait_for 10 "more in the spool than a socket holds" more
workers() { ours | while read -r p; do
	tr "\0" " " 2>/dev/null <"/proc/$p/cmdline" | grep -q -- '--internal=worker' && echo "$p"
done; }
w=$(workers)
[ -n "$w" ] || fail "no worker"
rm -rf "$spool"
kill -KILL $w
another() { [ -n "$(workers)" ] && [ "$(workers)" != "$w" ]; }
wait_for 10 "another worker" another
kill -CONT $monitord_pid
said() { grep -q 'its spool has lost [0-9]* records, which are counted as lost' "$dir/monitord.err"; }
wait_for 10 "monitord to say what is lost" said
back() { "$monitorctl" status | grep -q 'state: *running'; }
wait_for 10 "the node again" back
wait $load_pid || fail "the program was harmed"
"$monitorctl" status >"$dir/status"
grep -q 'lost [1-9]' "$dir/status" || { cat "$dir/status"; fail "status says nothing of the loss"; }
finish
cat "$dir/receipt"
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load")
field() { sed -n "s/^$1 *//p" "$dir/receipt"; }
[ "$(field lost)" -gt 1000 ] || fail "the loss is not counted"
[ "$(field published)" -ge "$published" ] && [ "$(field published)" -le $((published + 64)) ] ||
    fail "the program published $published, the receipt says $(field published)"
"$monitorctl" dump --kind lost "$dir/run.orr" >"$dir/lost"
cat "$dir/lost"
in_log=$(sed 's/.*records=\([0-9]*\).*/\1/' "$dir/lost" | awk '{ s += $1 } END { print s }')
[ "$in_log" = "$(field lost)" ] || fail "the log holds $in_log lost, the receipt says $(field lost)"
grep -q 'gone' "$dir/lost" || fail "the reason is not 'gone'"
[ "$(grep -c 'its spool has lost' "$dir/monitord.err")" -le 4 ] || fail "it is said more than once"
tail -n 2 "$dir/check"

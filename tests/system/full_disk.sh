#!/bin/sh
# A small disk that fills up while programs run: first under the log, then
# under the spool.  Writing stops, which is said once; there is room again,
# and it goes on; nothing that was published is lost but what a full ring
# counts.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
[ "$(id -u)" -eq 0 ] || skip "only root can make a small disk"
mkdir "$dir/disk"
mount -t tmpfs -o size=3m tmpfs "$dir/disk" 2>/dev/null || skip "no tmpfs can be mounted here"
trap 'code=$?; umount -l "$dir/disk" 2>/dev/null; (exit $code); cleanup' EXIT

# --- the log ---
cluster 1 >"$dir/c.yaml"
"$monitord" --log "$dir/disk/run.orr" "$dir/c.yaml" 2>"$dir/monitord.err" &
monitord_pid=$!
wait_for 10 "the node" nodes_ready 1
# slow enough for the rings not to fill while others have the processors
"$load" --wait --threads 2 --noise --rate 80000 --seconds 8 >"$dir/load" &
load_pid=$!
full() { "$monitorctl" status | grep -q 'CANNOT BE WRITTEN'; }
wait_for 20 "the disk to be full" full
wait $load_pid || fail "the program was harmed"
full || fail "the disk is no longer full"
mount -o remount,size=200m "$dir/disk"
room() { ! full; }
wait_for 10 "monitord to write again" room
"$monitorctl" shutdown >"$dir/receipt" 2>&1 || { cat "$dir/receipt"; fail "not good"; }
wait "$monitord_pid" || fail "monitord ended with $?"
monitord_pid=
tail -n 9 "$dir/receipt"
grep -qE '^lost +0$' "$dir/receipt" || fail "events were lost"
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load")
stored=$(sed -n 's/^stored *//p' "$dir/receipt")
[ "$stored" -ge "$published" ] && [ "$stored" -le $((published + 16)) ] ||
    fail "published $published, stored $stored"
"$monitorctl" check "$dir/disk/run.orr" >"$dir/check" || { cat "$dir/check"; fail "the log does not check"; }
[ "$(grep -c 'cannot write the log: No space left on device' "$dir/monitord.err")" -ge 1 ] ||
    [ "$(grep -c 'cannot write the log: .*No space left' "$dir/monitord.err")" -ge 1 ] || fail "the disk was not named"
[ "$(grep -c 'cannot write the log' "$dir/monitord.err")" -le 3 ] || { cat "$dir/monitord.err"; fail "it is said again and again"; }
rm "$dir/disk/run.orr"

# --- the spool, while monitord is away ---
mount -o remount,size=3m "$dir/disk"
printf 'name: test\nnodes:\n  - { name: n1, launch: none }\n' >"$dir/none.yaml"
"$BUILD/collector/collector" --name n1 --spool "$dir/disk/spool" 2>"$dir/collector.err" &
collector=$!
"$load" --wait --threads 2 --noise --rate 200000 --seconds 5 >"$dir/load" &
load_pid=$!
wait_for 20 "the spool to be full" grep -q 'no room for events' "$dir/collector.err"
wait $load_pid || fail "the program was harmed"
mount -o remount,size=200m "$dir/disk"
wait_for 10 "room again" grep -q 'there is room again' "$dir/collector.err"
start_monitord "$dir/none.yaml"
wait_for 10 "the node" nodes_ready 1
finish
cat "$dir/receipt"
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load")
got=$(sed -n 's/^published *//p' "$dir/receipt")
[ "$got" -ge "$published" ] && [ "$got" -le $((published + 16)) ] ||
    fail "published $published, the receipt says $got"
[ "$(grep -c 'no room for events' "$dir/collector.err")" -le 2 ] || { cat "$dir/collector.err"; fail "it is said again and again"; }
wait $collector
echo "full disk: ok"

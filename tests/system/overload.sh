#!/bin/sh
# Ten times more events than the path can carry: the program is not slowed,
# the loss is counted exactly per thread and shown in the log and in status.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

printf 'name: overload\ndefaults: { launch: local, ring: 64K, rings: 16 }\nnodes: [ { name: n1 } ]\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
ORRERY_NODE=n1 "$load" --wait --threads 2 --rate 0 --seconds 2 >"$dir/load" || fail "load"
published=$(awk '{ print $2 }' "$dir/load") took=$(awk '{ print $4 }' "$dir/load")
told() { "$monitorctl" status >"$dir/status" && grep -q 'lost [1-9]' "$dir/status"; }
wait_for 10 "status to tell of the loss" told
finish
cat "$dir/load" "$dir/receipt"
# who started it was told once while it happened, and at the end how much
says "$dir/status" 'EVENTS ARE LOST for want of room'
[ "$(grep -c 'faster than they can be taken' "$dir/monitord.err")" -eq 1 ] || fail "the loss is not told of once"
says "$dir/monitord.err" 'po 1 .load.: it makes events .* has lost [0-9]+ so far; .full: wait:1000., a .ring. of more than [0-9]+K'
lost=$(awk '/^lost/ { print $2 }' "$dir/receipt")
got=$(awk '/^published/ { print $2 }' "$dir/receipt")
[ "$lost" -gt $((published / 4)) ] || fail "hardly anything was lost: this is no overload"
[ "$got" -ge "$published" ] && [ "$got" -le $((published + 64)) ] ||
    fail "the program published $published, the receipt says $got"
in_log=$("$monitorctl" dump --kind lost "$dir/run.orr" | sed 's/.*records=\([0-9]*\).*/\1/' | awk '{ s += $1 } END { print s }')
says "$dir/monitord.err" "po 1 .load.: $lost of its [0-9]+ events are lost"
[ "$in_log" = "$lost" ] || fail "the log holds $in_log lost, the receipt says $lost"
awk -v p="$published" -v t="$took" 'BEGIN { printf "%.1f M events/s published, flat out\n", p / t / 1e6 }'

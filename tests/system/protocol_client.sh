#!/bin/sh
# A client that was written from orrery-protocol(7) alone (tests/reader/client)
# is sent the log while it grows, byte for byte, and at the end the receipt that
# is in the log; what it was sent has the events of the finished log.  It asks
# as monitorctl does and hears the same, and is refused in a sentence what the
# page says is refused.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"
client() { timeout 60 python3 -B tests/reader/client "$@"; }
sock=$ORRERY_DIR/monitord.sock

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
client view "$sock" "$dir/seen.orr" >"$dir/seen" 2>&1 &
viewer=$!
wait_for 10 "the first frames" test -s "$dir/seen.orr"
"$load" --wait --threads 2 --rate 20000 --events 4000 >/dev/null || fail "load"
wait_for 10 "events in the log" stored 4000

# while the run lasts: what has come is what the log begins with
size=$(stat -c %s "$dir/run.orr")
seen_all() { [ "$(stat -c %s "$dir/seen.orr")" -ge "$size" ]; }
wait_for 10 "all of the log at the client" seen_all
cp "$dir/seen.orr" "$dir/early.orr"
head -c "$size" "$dir/run.orr" | cmp -n "$size" "$dir/early.orr" - || fail "the client was sent something else"

# a control tool
client ask "$sock" status >"$dir/status" || fail "status ended with $?"
uuid=$("$monitorctl" status | sed -n 's/^run: //p')
says "$dir/status" "^run: .* uuid: $uuid, state: running"
ends_saying 64 'it knows status, shutdown and probe' client ask "$sock" nonsense

# who: the same people as monitorctl has, when nothing of them changes any more
all_ended() { "$monitorctl" who | grep -q ended && ! "$monitorctl" who | grep -q alive; }
wait_for 10 "the end of the program" all_ended
client who "$ORRERY_DIR/n1/collector.sock" n1 >"$dir/who" || fail "who ended with $?"
says "$dir/who" '^n1/1\.2 .* ended +2[0-9]{3} +0  load$'
"$monitorctl" who | grep '^n1/' >"$dir/who.ctl"
diff "$dir/who.ctl" "$dir/who" || fail "who differs"
ends_with 1 client who "$ORRERY_DIR/n1/collector.sock" n1 99

# what is refused
ends_saying 76 'protocol version 99 to 99' client hello "$sock" 99 3
ends_saying 76 'role 77 is not known' client hello "$sock" 1 77
ends_saying 65 'no frame at offset 5 of the log' client view "$sock" "$dir/none" 5

# a part of it: from where a frame begins, which is behind the first
second=$(python3 -B -c 'import sys; sys.path.insert(0, "tests/reader"); import log
print([r[0] for r in log.Log(open(sys.argv[1], "rb").read()).records][1])' "$dir/early.orr")
client view "$sock" "$dir/part" "$second" >"$dir/part.says" 2>&1 &
part=$!
wait_for 10 "a part of the log" test -s "$dir/part"

finish
wait $viewer || { cat "$dir/seen"; fail "the client ended with $?"; }
wait $part || { cat "$dir/part.says"; fail "the client ended with $?"; }
tail -c +$((second + 1)) "$dir/seen.orr" | cmp - "$dir/part" || fail "the part is another one"
says "$dir/seen" '^bytes [0-9]+ pulses [0-9]+ behind 0$'
python3 -B -c 'import sys; sys.path.insert(0, "tests/reader"); import log
for f, v in log.Log(open(sys.argv[1], "rb").read()).receipt.items(): print(f, v)' \
    "$dir/run.orr" >"$dir/in.log"
grep -vE '^(run|bytes) ' "$dir/seen" | diff "$dir/in.log" - || fail "the receipt is another one"
# time on the monitor, flags and shift may be mended at the end, no more
events() { "$monitorctl" dump --raw "$1" | cut -f 2-5,8- | sort; }
events "$dir/run.orr" >"$dir/a"
events "$dir/seen.orr" | cmp - "$dir/a" || fail "the client was sent other events"
[ "$(wc -l <"$dir/a")" -gt 4000 ] || fail "hardly an event"
echo "$(($(wc -l <"$dir/a") - 1)) events, $(sed -n 's/^bytes //p' "$dir/seen")"
echo "protocol_client: ok"

#!/bin/sh
# A program that writes garbage over the memory it shares with the collector:
# the collector survives, what makes no sense is closed with a line and a
# count, and the events of an honest program beside it are all stored.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
hostile=$BUILD/tests/apps/hostile
seeds=${SEEDS:-4}
# a sanitizer's build needs ten times as long to read the log again
case $BUILD in */san|*/tsan) rate=10000 ;; *) rate=50000 ;; esac

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
ours_of() { ours | while read -r p; do
	tr '\0' ' ' 2>/dev/null <"/proc/$p/cmdline" | grep -q -- "--internal=$1" && echo "$p"
done; }
worker=$(ours_of worker)
[ -n "$worker" ] || fail "no worker"
"$load" --wait --threads 2 --rate $rate --seconds 8 >"$dir/load" &
load_pid=$!
i=0
while [ $i -lt "$seeds" ]; do
	case $((i % 4)) in
	0)	only= ;;
	1)	only='--only heads' ;;
	2)	only='--only records' ;;
	3)	only='--only times' ;;
	esac
	# how the hostile one fares is its own business
	[ -x "$hostile" ] || fail "no $hostile"
	timeout -s KILL 10 "$hostile" --seconds 1 --seed $((i + ${SEED:-1})) $only >/dev/null 2>"$dir/hostile.err"
	grep -q 'finds nothing' "$dir/hostile.err" && fail "it finds nothing to write over"
	i=$((i + 1))
done
[ "$(ours_of worker)" = "$worker" ] || fail "the collector was killed"
wait $load_pid || fail "the honest program was harmed"
"$monitorctl" status >"$dir/status" || fail "status"
"$monitorctl" shutdown >"$dir/receipt" 2>&1
code=$?
wait "$monitord_pid"
monitord_pid=
cat "$dir/receipt"
grep -qE 'a ring is closed|makes? no sense' "$dir/monitord.err" || fail "nothing was said about the hostile one"
[ "$(grep -c 'a ring is closed' "$dir/monitord.err")" -le "$seeds" ] || fail "it is said more than once of each"
# the honest one, by its own count and by the log
"$monitorctl" check --quiet "$dir/run.orr" >"$dir/check" 2>&1
"$monitorctl" dump --raw "$dir/run.orr" >/dev/null || fail "the log cannot be read"
po=$("$monitorctl" dump --kind po_begin "$dir/run.orr" | sed -n 's|.* n1/\([0-9]*\)\.0 po_begin.*program=load.*|\1|p;s|.* n1/\([0-9]*\)\.0 po_begin.*name=load.*|\1|p' | head -n 1)
[ -n "$po" ] || { "$monitorctl" dump --kind po_begin "$dir/run.orr"; fail "no honest program in the log"; }
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load")
stored=$("$monitorctl" dump --node n1 --po "$po" "$dir/run.orr" | grep -vc ' lost ')
# po_begin, po_end and the life of three threads are not in its own count
[ "$stored" -eq $((published + 5)) ] || fail "the honest one published $published, $stored are stored"
grep -E "n1/$po\." "$dir/receipt" && fail "the receipt doubts the honest one"
echo "shutdown said $code; honest: $published, hostile: $seeds programs"

#!/bin/sh
# Frames that are cut, too long, of unknown type, damaged, or not frames at
# all, to every port and in every role, while a program publishes: each is
# answered by one line and a close, and the receipt of the program is exact.
# n2 is the node that the bad peer says it is.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
badpeer=$BUILD/tests/tools/badpeer

cluster 1 >"$dir/c.yaml"
echo "  - { name: n2, launch: none }" >>"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 2 --rate 50000 --seconds 1000 >"$dir/load" &
load_pid=$!
central=$ORRERY_DIR/monitord.sock attach=$ORRERY_DIR/n1/collector.sock
wait_for 10 "the attach port" test -S "$attach"

export BADPEER_NAME=n2
# taken SOCKET FRAME ROLE: it must not be left open
taken() {
	answer=$("$badpeer" send "$@") || fail "badpeer $*"
	case $answer in
	closed*|refused*) ;;
	*)	fail "$*: $answer" ;;
	esac
}
said() { grep -qE -e "$1" "$dir/monitord.err" || fail "nothing was said like: $1"; }

for frame in $("$badpeer" frames); do
	taken "$central" "$frame"
	for role in clock viewer control collector; do
		taken "$central" "$frame" $role
	done
	taken "$attach" "$frame"
done
said 'message of unknown type 120; closing'
said 'wrong checksum.*; closing'
said 'frame is longer than any may be; closing'
said 'no frame of ours.*; closing'
said 'damaged hello message; closing'
said 'heartbeat instead of a hello; closing|pulse instead of a hello; closing'
said 'unexpected pulse.*; closing'
said 'attach port: process [0-9]*: .*; closing'
kill -0 $load_pid 2>/dev/null || fail "the program was harmed"
"$monitorctl" status >"$dir/status" || fail "monitord was harmed"
kill $load_pid
wait $load_pid 2>/dev/null
"$monitorctl" shutdown >"$dir/receipt" 2>&1 && fail "shutdown believes n2"
wait "$monitord_pid"
monitord_pid=
cat "$dir/receipt"
# n2 has told nothing, and that is all there is to say
[ "$(sed -n '/^not good/,$p' "$dir/receipt" | sed 1d)" = "  node n2: has not told everything" ] ||
    fail "more than n2 is not good"
grep -qE '^lost +0$' "$dir/receipt" || fail "events were lost"
"$monitorctl" check "$dir/run.orr" >"$dir/check" || { cat "$dir/check"; fail "the log does not check"; }

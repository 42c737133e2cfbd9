#!/bin/sh
# Peers of another version, both ways round: who is refused is told what to
# do, ends or tries again, and nobody else notices.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
badpeer=$BUILD/tests/tools/badpeer
unset DISPLAY

# --- others come to our monitord ---
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 2 --rate 50000 --seconds 1000 >/dev/null &
load_pid=$!
for role in collector clock viewer control; do
	for v in "2 9" "0 0"; do
		answer=$("$badpeer" versions "$ORRERY_DIR/monitord.sock" $v $role)
		case $answer in
		"refused: 76 protocol version ${v% *} to ${v#* } is spoken there, 1 to 1 here; install the same release"*) ;;
		*) fail "$role of version $v: $answer" ;;
		esac
	done
done
[ "$("$badpeer" versions "$ORRERY_DIR/monitord.sock" 1 9 control)" = welcome ] ||
    fail "one that also speaks our version is not welcome"
kill -0 $load_pid || fail "the program was harmed"
kill $load_pid
wait $load_pid 2>/dev/null
finish

# --- ours come to another monitord: 7 welcomes in version 7, 0 refuses ---
expect() {
	code=$1 pattern=$2
	shift 2
	timeout 10 "$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ $got -eq "$code" ] || { cat "$dir/err"; fail "$*: exit $got, not $code"; }
	grep -qE -e "$pattern" "$dir/err" || { cat "$dir/err"; fail "$*: nothing like '$pattern'"; }
}
for version in 7 0; do
	mkdir -m 700 "$dir/other$version"
	sock=$dir/other$version/monitord.sock
	"$badpeer" serve "$sock" $version &
	other=$!
	wait_for 10 "the other monitord" test -S "$sock"
	expect 76 'version' "$monitorctl" --socket "$sock" status
	expect 76 'version' "$monitorctl" --socket "$sock" shutdown
	# a viewer: headless, it must not wait for ever without a word
	echo "wait ms 60000" >"$dir/script"
	"$BUILD/viewer/viewer" --headless --connect "unix:$sock" --script "$dir/script" >"$dir/out" 2>&1 </dev/null &
	viewer=$!
	wait_for 10 "the viewer to say so" grep -q 'version' "$dir/out"
	kill $viewer
	wait $viewer 2>/dev/null
	# a collector says so and goes on trying; its programs go on
	ORRERY_DIR=$dir/other$version "$BUILD/collector/collector" --name n9 --monitord "unix:$sock" 2>"$dir/collector.err" &
	collector=$!
	wait_for 10 "the collector to say so" grep -q 'version' "$dir/collector.err"
	ORRERY_DIR=$dir/other$version "$load" --wait --threads 1 --events 20000 >/dev/null || fail "load"
	kill -0 $collector || fail "the collector has ended"
	kill $collector
	wait $collector
	[ "$(grep -c version "$dir/collector.err")" -le 30 ] || fail "it floods its log"
	kill $other
	wait $other 2>/dev/null
done
echo "versions: ok"

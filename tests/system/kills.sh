#!/bin/sh
# SIGKILL at random moments, under load: application, collector (worker,
# keeper, or both), monitord, viewer.  Every published event must be in the
# log once, the receipt exact, the other programs go on, a dead collector be
# back within 2 s, and monitord go on with the same run and the same log.
#
#	KILLS=50 sh tests/system/kills.sh	50 of each; 4 by default
#	KINDS='application monitord' ...	only these
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
kills=${KILLS:-4}
kinds=${KINDS:-application collector monitord viewer}
seed=${SEED:-$$}
echo "seed $seed"

# a pseudo-random number below $1
rnd() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	echo $((seed / 65536 % $1))
}
nap() { sleep "$(printf '0.%03d' $(($(rnd ${1:-400}) + 50)))"; }

cluster 2 >"$dir/c.yaml"
again() { start_monitord "$dir/c.yaml"; }
again
wait_for 10 "two nodes" nodes_ready 2
run=$("$monitorctl" status | sed -n 's/^run: *//p')

# a load on each node that goes on through everything
ORRERY_NODE=n1 "$load" --wait --threads 2 --rate 50000 --seconds 100000 >/dev/null &
load1=$!
ORRERY_NODE=n2 "$load" --wait --threads 1 --rate 20000 --seconds 100000 >/dev/null &
load2=$!

connected() { [ "$("$monitorctl" status | grep -c 'state: *running')" -ge 2 ]; }
alive() {
	kill -0 $load1 2>/dev/null && kill -0 $load2 2>/dev/null ||
	    fail "a program was harmed by the death of $1"
}

kill_application() {
	ORRERY_NODE=n$(($(rnd 2) + 1)) "$load" --threads 3 --rate $(($(rnd 300) * 1000 + 1000)) --seconds 60 >/dev/null &
	victim=$!
	nap
	kill -KILL $victim
	wait $victim 2>/dev/null
}

kill_collector() {
	node=n$(($(rnd 2) + 1))
	# of this test only: others may run beside it
	ours >"$dir/ours"
	set -- $(pgrep -f "collector.*--name[ =]$node( |\$)" | grep -xF -f "$dir/ours" | sort -n)
	[ $# -ge 1 ] || fail "no collector of $node is running"
	case $(rnd 3) in
	0)	kill -KILL "$1" 2>/dev/null ;;		# the keeper
	1)	shift $(($# - 1)); kill -KILL "$1" 2>/dev/null ;; # the worker
	2)	kill -KILL "$@" 2>/dev/null ;;		# both
	esac
	start=$(date +%s%N)
	sleep 0.1
	wait_for 10 "the collector of $node" connected
	ms=$((($(date +%s%N) - start) / 1000000))
	[ $ms -le "${worst:-0}" ] || worst=$ms
	nap
}

kill_monitord() {
	kill -KILL "$monitord_pid"
	wait "$monitord_pid" 2>/dev/null
	nap
	again
	wait_for 20 "both nodes after monitord was started again" connected
	[ "$("$monitorctl" status | sed -n 's/^run: *//p')" = "$run" ] ||
	    fail "monitord does not go on with the same run"
	nap
}

kill_viewer() {
	"$BUILD/viewer/viewer" >/dev/null 2>&1 &
	victim=$!
	nap 900
	kill -KILL $victim
	wait $victim 2>/dev/null
}

case " $kinds " in *" viewer "*)
	if command -v Xvfb >/dev/null; then
		Xvfb -displayfd 3 -noreset -screen 0 1280x800x24 3>"$dir/display" >/dev/null 2>&1 &
		xvfb=$!
		wait_for 10 Xvfb test -s "$dir/display"
		DISPLAY=:$(cat "$dir/display"); export DISPLAY
	else
		kinds=$(echo "$kinds" | sed 's/viewer//')
	fi
esac

for kind in $kinds; do
	worst=0 i=0
	while [ $i -lt "$kills" ]; do
		kill_$kind
		alive "$kind"
		i=$((i + 1))
	done
	echo "$kind: $kills killed"
	[ $kind != collector ] || echo "collector: back after at most $worst ms"
	[ $kind != collector ] || [ "$worst" -le 2000 ] || fail "a collector was away for $worst ms"
done

kill -KILL $load1; wait $load1 2>/dev/null
kill $load2; wait $load2 2>/dev/null
finish
cat "$dir/receipt"
tail -n 3 "$dir/check"
[ -z "${xvfb:-}" ] || kill $xvfb
exit 0

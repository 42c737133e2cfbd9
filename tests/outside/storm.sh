#!/bin/sh
# Storms: eight processes on four nodes, whose clocks are seconds apart, drift
# and wander, send to each other all they can.  Afterwards a checker that has
# nothing of our sources holds the log against what each process knows: every
# event there, in order, with its contents, behind its cause, at its time.  What
# a viewer was sent meanwhile is held against it too.
#
#	KINDS='flat stopped' sh tests/outside/storm.sh	both by default
#		flat	as fast as rings, spools and log let them
#		paced	RATE messages/s of each process
#		stopped	a collector is stopped STOPS times for STOP_SECONDS
#		beside	while four other processes want the processors
#	MESSAGES=80000 ...	in all; or
#	SECONDS=10 ...		so long, of the kinds that are paced
#	RATE=1000 STOPS=2 STOP_SECONDS=1 KEEP=DIR ...
set -u
# the shell may count seconds itself
seconds=${SECONDS:-0}
[ "$seconds" -gt 0 ] || seconds=4
cd "$(dirname "$0")/../.."
. tests/lib.sh
outside=$BUILD/tests/outside/outside
kinds=${KINDS:-flat stopped}
messages=${MESSAGES:-80000}
rate=${RATE:-500}
clocks='0,0 -3.2,100,20 5.7,-80,15 -1.4,-100,30'
round=$((messages / 80 + 1)) # of each process: ten rounds
[ $round -le 10000 ] || round=10000

# four nodes with those clocks
four() {
	echo "name: storm"
	echo "defaults: { launch: local, full: 'wait:60000' }"
	echo "nodes:"
	i=0
	for c in $clocks; do
		i=$((i + 1))
		echo "  - { name: n$i, test_clock: \"$c\" }"
	done
}
four >"$dir/c.yaml"

# as many times as wanted, the collector of n2 stops for a while
stop_collector() {
	ours >"$dir/ours"
	victims=$(pgrep -f 'collector.*--name n2( |$)' | grep -xF -f "$dir/ours")
	n=0
	while [ $n -lt "${STOPS:-2}" ] && kill -0 $storm_pid 2>/dev/null; do
		kill -STOP $victims
		sleep "${STOP_SECONDS:-1}"
		kill -CONT $victims
		sleep "${STOP_SECONDS:-1}"
		n=$((n + 1))
	done
	echo "n2's collector was stopped $n times for ${STOP_SECONDS:-1} s"
}

hogs= bad=
for kind in $kinds; do
	rm -rf "$dir/run.orr" "$dir/said"
	mkdir "$dir/said"
	start_monitord "$dir/c.yaml"
	wait_for 20 "four nodes" nodes_ready 4
	{ "$BUILD/tests/tools/watch" || echo "no receipt"; } |
	    "$outside" --growing --clocks "$clocks" "$dir/said" >"$dir/seen" &
	watch_pid=$!
	case $kind in
	flat)	how="--messages $((messages / 8))" ;;
	*)	how="--seconds $seconds --rate $rate" round=$((rate / 2)) ;;
	esac
	if [ $kind = beside ]; then
		for i in 1 2 3 4; do
			sh -c 'while :; do :; done' "$dir" &
			hogs="$hogs $!"
		done
	fi
	"$BUILD/tests/apps/storm" $how --round $round "$dir/said" &
	storm_pid=$!
	[ $kind != stopped ] || stop_collector
	wait $storm_pid || fail "$kind: a process of the storm was harmed"
	[ -z "$hogs" ] || kill $hogs
	hogs=
	finish
	cp "$dir/run.orr" "${KEEP:-$dir}/storm-$kind.orr"
	echo "-- $kind"
	grep '^published' "$dir/receipt"
	"$monitorctl" dump --raw "$dir/run.orr" |
	    "$outside" --clocks "$clocks" "$dir/said" || bad="$bad $kind:log"
	echo "- what a viewer was sent:"
	wait $watch_pid || bad="$bad $kind:viewer"
	cat "$dir/seen"
done
[ -z "$bad" ] || fail "not what the processes did:$bad"

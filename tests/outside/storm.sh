#!/bin/sh
# Storms: eight processes on four nodes, whose clocks are seconds apart, drift
# and wander, send to each other all they can.  Afterwards a checker that has
# nothing of our sources holds the log against what each process knows: every
# event there, in order, with its contents, behind its cause, at its time.  What
# a viewer was sent meanwhile is held against it too.  One that is far behind at
# the end is given up by monitord, which says so: what it has got must be right.
#
#	KINDS='flat stopped' sh tests/outside/storm.sh	both by default
#		flat	as fast as rings, spools and log let them
#		paced	RATE messages/s of each process
#		stopped	a collector is stopped STOPS times for STOP_SECONDS
#		beside	while four other processes want the processors
#		behind	a viewer stands still until monitord has ended
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

# given_up: what monitord says of a viewer that it gave up: "HAS ALL" in bytes
given_up() {
	sed -n 's/.*viewer watch is not waited for: it has \([0-9]*\) of \([0-9]*\) bytes.*/\1 \2/p' \
	    "$dir/monitord.err"
}

# whole_or_given_up CODE: the viewer, which ended so, was sent all, or as much
# as monitord says that it was sent when it gave it up
whole_or_given_up() {
	[ $1 -ne 0 ] || return 0
	cat "$dir/watch.err"
	got=$(sed -n 's/^watch: \([0-9]*\) bytes of the log, no receipt$/\1/p' "$dir/watch.err")
	set -- $1 $(given_up)
	[ $1 -eq 3 ] && [ -n "$got" ] || { echo "the viewer has failed"; return 1; }
	[ $# -eq 3 ] || { echo "the stream has ended, but monitord has not given the viewer up"; return 1; }
	[ "$got" -ge $2 ] && [ "$got" -le $3 ] ||
	    { echo "monitord says that it has sent $2 of $3 bytes"; return 1; }
	echo "the viewer was given up $(($3 - got)) bytes behind"
}

hogs= bad=
mkfifo "$dir/watched"
for kind in $kinds; do
	rm -rf "$dir/run.orr" "$dir/said" "$dir/monitord.err"
	mkdir "$dir/said"
	start_monitord "$dir/c.yaml"
	wait_for 20 "four nodes" nodes_ready 4
	"$outside" --growing --clocks "$clocks" "$dir/said" \
	    <"$dir/watched" >"$dir/seen" 2>&1 &
	seen_pid=$!
	stop=
	[ $kind != behind ] || stop=--stop
	"$BUILD/tests/tools/watch" $stop >"$dir/watched" 2>"$dir/watch.err" &
	watch_pid=$!
	case $kind in
	flat|behind) how="--messages $((messages / 8))" ;;
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
	[ $kind != behind ] ||
	    wait_for 20 "the viewer to stop" grep -q '^State:.*T' /proc/$watch_pid/status
	finish
	[ $kind != behind ] || kill -CONT $watch_pid
	cp "$dir/run.orr" "${KEEP:-$dir}/storm-$kind.orr"
	echo "-- $kind"
	grep '^published' "$dir/receipt"
	"$monitorctl" dump --raw "$dir/run.orr" |
	    "$outside" --clocks "$clocks" "$dir/said" || bad="$bad $kind:log"
	echo "- what a viewer was sent:"
	wait $watch_pid
	whole_or_given_up $? || bad="$bad $kind:stream"
	wait $seen_pid || bad="$bad $kind:viewer"
	cat "$dir/seen"
	[ $kind != behind ] || [ -n "$(given_up)" ] ||
	    fail "behind: monitord has given nobody up"
done
[ -z "$bad" ] || fail "not what the processes did:$bad"

#!/bin/sh
# A node whose clock is another one when it comes back: it was booted, or its
# clock was set while nobody watched; with undelivered events and without, and
# with monitord started again in between.  Each is told as an epoch of its own,
# what lay in the spool keeps the times of its own clock, and a node that comes
# back with the clock it had begins none.  ROUNDS times.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
collector=$BUILD/collector/collector
rawtime=$BUILD/tests/apps/rawtime
ROUNDS=${ROUNDS:-1}

printf 'name: boots\ndefaults: { launch: none }\nnodes:\n  - { name: n1 }\n  - { name: n2 }\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
"$collector" --name n1 2>>"$dir/n1.err" &

# What two collectors have in common says that they are of one boot: of
# --test-clock that is the first 24 characters, which these zeros use up.
zeros=0000000000000000000000000
# boot CLOCK EPOCHS: so many more, on disk before it goes on
boot() {
	"$collector" --name n2 --test-clock "$1" 2>>"$dir/n2.err" &
	boots=$((boots + 1))
	keeper=$!
	wait_for 10 "node n2" n2_is running
	epochs=$((epochs + $2))
	wait_for 10 "the word of its clock" told
}
told() { [ "$("$monitorctl" dump --raw --kind clock_step "$dir/run.orr" | tail -n +2 | wc -l)" -eq $epochs ]; }
n2_is() { "$monitorctl" status | grep -Eq "^  n2 .*state: ($1) "; }
publish() { ORRERY_NODE=n2 "$rawtime" 2 3000 100000 || fail "rawtime"; }
gone() { [ -z "$(ps -o pid= --ppid "$keeper")" ] && ! kill -0 "$keeper" 2>/dev/null; }
# the keeper first, or it would start another worker
down() {
	victims="$keeper $(ps -o pid= --ppid "$keeper" | tr '\n' ' ')"
	for p in $victims; do kill -STOP "$p" 2>/dev/null; done
	for p in $victims; do kill -KILL "$p" 2>/dev/null; done
	wait_for 10 "the end of the collector" gone
	[ $frozen -eq 1 ] || wait_for 10 "node n2 to be away" n2_is 'gone|awaited'
}
spooled() { cat "$ORRERY_DIR"/n2/spool/*.spool 2>/dev/null | wc -c; }
# undelivered EVENTS: monitord does not take them
undelivered() {
	kill -STOP "$monitord_pid"
	frozen=1
	publish
	before=$(spooled)
	wait_for 10 "the spool" spool_rests
	down
	kill -CONT "$monitord_pid"
	frozen=0
}
spool_rests() { now=$(spooled); rests=$((now == before)); before=$now; [ $rests -eq 1 ] && [ "$now" -gt 0 ]; }

boots=0
frozen=0
epochs=0
boot "1000,30" 0
round=0
while [ $round -lt "$ROUNDS" ]; do
	publish # another boot, nothing left to deliver
	down
	boot "-0.$round,-50" 1
	publish # another boot, with events of the old one
	undelivered
	boot "${zeros}7$round.5,10" 1
	publish # the same boot, another clock
	undelivered
	boot "${zeros}3$round.1,10" 1
	publish # monitord is started again as well
	undelivered
	kill -KILL "$monitord_pid"
	wait "$monitord_pid" 2>/dev/null
	start_monitord "$dir/c.yaml"
	boot "500,$round" 1
	publish # the same clock: no epoch
	undelivered
	boot "500,$round" 0
	publish
	down
	boot "1000,30" 1
	round=$((round + 1))
done
finish
told || fail "not $epochs epochs are told"
"$monitorctl" dump --raw --kind note "$dir/run.orr" | "$rawtime" --within 100000000 >"$dir/out" ||
    { cat "$dir/out"; fail "times of one clock on the map of another"; }
echo "$boots starts, $epochs epochs, $(cat "$dir/out")"

#!/bin/sh
# The questions of orrery(7), answered as that page says, in at most four steps
# each: by keys and by mouse through a real server.  Scripts are the commands
# that the keys type.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
start_x
"$makelog" -v -n 200000 "$dir/run.orr" >/dev/null || fail "makelog"
start_viewer --size 1600x1000 "$dir/run.orr"
say wait known
wait_for 60 "the file" is finished 1
focus

# where things are in such a window: tabs, the mark for alone, rows of the dock
tabs_y=825
row() { echo $((868 + 15 * ($1 - 1))); }

steps=0
step() { steps=$((steps + 1)); }
key() {
	step
	xdotool key "$@"
}
words() {
	step
	xdotool type --delay 10 "$*"
	xdotool key Return
}
click() {
	step
	xdotool mousemove --window "$id" "$1" "$2"
	say wait frame 2
	sleep 0.1 # the pointer has come, and a click is not a double one
	xdotool click 1
}
over() {
	step
	xdotool mousemove --window "$id" "$1" "$2"
}

tells() { # what was said since line $from has this
	lines=$(wc -l <"$dir/out")
	[ "$lines" -gt "$from" ] || return 1
	tail -n +$((from + 1)) "$dir/out" | grep -Eq -- "$1"
}
asked_again() {
	from=$(wc -l <"$dir/out")
	say describe
	soon_small tells "$1"
}
soon_small() {
	n=25
	until "$@"; do
		n=$((n - 1))
		[ $n -gt 0 ] || return 1
		sleep 0.02
	done
}
# answers QUESTION TAB PATTERN: the view has it, in no more than four steps
answers() {
	wait_for 20 "$1: the tab $2" is tab "$2"
	for try in 1 2 3 4 5 6; do
		asked_again "$3" && break
		[ $try -lt 6 ] || fail "$1: nothing like $3"
	done
	[ $steps -le 4 ] || fail "$1: $steps steps"
	echo "$1: $steps steps"
	steps=0
	# as at first
	say clear
	say cursor now
	say fit-all
	say arrange plain
	say tab functions
	wait_for 20 "functions again" is tab Functions
	say wait frame 2
}

# why was this request slow?
key L
words "sort > 500us"
wait_for 20 "what is found" is tab Found
range=$(state range)
key n
wait_for 10 "n goes there" is_not range "$range"
answers "slow, by keys" Found '^found: [1-9][0-9]* of sort > 500us; '
click 252 "$(row 2)"
click 35 903
answers "slow, by mouse" Found '^found: [1-9][0-9]* of sort; '

# which lock, held by whom?
key greater
words tab locks
answers "locks, by keys" Locks '^  lock .*: waited [1-9].* held by '
click 1092 $tabs_y
answers "locks, by mouse" Locks '^  lock .*: waited [1-9].* held by '

# which calls took longer?
key L
words "> 500us"
answers "longer, by keys" Found '^found: [1-9][0-9]* of > 500us'
click 252 "$(row 2)"
click 1492 $tabs_y
click 500 250
answers "longer, by mouse" Found '^  chosen: [1-9][0-9]*, from '

# who grows?
key greater
words tab memory
answers "grows, by keys" Memory '^memory of .*: [1-9][0-9]* pieces'
click 798 $tabs_y
answers "grows, by mouse" Memory '^memory of .*: [1-9][0-9]* pieces'
key greater
words communication queues
answers "queues, by keys" Communication '^  waiting for .*: messages [1-9]'
say communication total
click 211 $tabs_y
wait_for 20 "its tab" is tab Communication
say leave
say wait frame 2
sleep 0.1
sums=$(state pixels)
click 135 845
say leave
wait_for 10 "queues instead of sums" is_not pixels "$sums"
answers "queues, by mouse" Communication '^  waiting for .*: messages [1-9]'

# who waits for whom?
key greater
words tab waits
over 400 500
key u
answers "waits, by keys" Waits '^waits: [1-9][0-9]* threads at .*(cursor|pointer)'
click 1147 $tabs_y
over 400 500
answers "waits, by mouse" Waits '^waits: [1-9][0-9]* threads at .*pointer'
say quit
gone
[ $code = 0 ] || fail "the viewer ends with $code"
echo ok

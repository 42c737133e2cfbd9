#!/bin/sh
# Causes and effects while a run goes on: they are told, and are in
# the end what a viewer of the finished log says; so they are when its log is
# not at hand, and monitord has to send it again.  When monitord is gone, that
# is said.
set -u
. "$(dirname "$0")/lib"
pascal=$BUILD/examples/pascal
[ -x "$monitord" ] && [ -x "$monitorctl" ] && [ -x "$pascal" ] ||
    skip "needs monitord, monitorctl and pascal"

# causes OUTPUT: the last ones that were described there; by_location: without
# the numbers of rows, which may come in another order
by_location() { sed 's/, row [0-9]*\([ ,]\)/\1/' "$@" | sort; }
causes() {
	awk '/^causes:/ { n = 0; on = 1 } !/^causes:|^  location/ { on = 0 }
	    on { line[++n] = $0 } END { for (i = 1; i <= n; i++) print line[i] }' \
	    "$1"
}
# told: all that was described is there, with causes and effects in it
told() {
	tells=$((${tells:-0} + 1))
	say describe
	say "tell described$tells"
	for try in $(seq 500); do
		! grep -q "^tell described$tells\$" "$dir/state" || break
		sleep 0.02
	done
	causes "$dir/out" >"$dir/now"
	grep -q before "$dir/now" && grep -q after "$dir/now"
}
as_in_the_file() {
	told && by_location "$dir/now" | cmp -s - "$dir/file"
}

# a port for this test; not one that the kernel gives to those who connect
port=$((20000 + $$ % 12000))

# live ADDRESS...: in row, at and thread what was asked
live() {
	"$monitord" --insecure-loopback --listen "tcp:127.0.0.1:$port" --log "$dir/run.orr" \
	    2>"$dir/monitord.err" &
	monitord_pid=$!
	start_viewer --headless "$@"
	wait_for 20 "the viewer to find it" is connected 1
	wait_for 20 "a collector" "$monitorctl" who
	"$monitorctl" run "$pascal" 20 --pes 3 >/dev/null 2>&1 || fail "pascal"
	wait_for 20 "its tasks" is_not tasks 0
	say wait read
	say search PE 1
	say "cursor 2ms"
	say causes
	wait_for 20 "causes, live" told
	[ "$(state finished)" = 0 ] || fail "it is not live"
	[ "$(state causes)" = both ] || fail "it does not show them"
	row=$(sed -n 's/^causes: both, row \([0-9]*\) at .* ns$/\1/p' "$dir/now")
	at=$(sed -n 's/^causes: both, row [0-9]* at \(.*\) ns$/\1ns/p' "$dir/now")
	thread=$(sed -n "s/^  location \([0-9]*\), row $row,.*/\1/p" "$dir/now")
	[ -n "$thread" ] || fail "what was asked: $(head -n 1 "$dir/now")"
	"$monitorctl" shutdown >/dev/null || fail "shutdown"
	say wait finished
	wait_for 20 "the end" is finished 1
	wait "$monitord_pid"
	monitord_pid=
}
over() {
	say quit
	gone
	[ $code = 0 ] || fail "ends with $code"
	rm -f "$dir"/run.orr*
}

describe_file() { # COMMANDS
	printf 'wait read\n%s\ndescribe\n' "$1" >"$dir/script"
	"$viewer" --headless --config "" --script "$dir/script" \
	    "$dir/run.orr" >"$dir/file.out" 2>"$dir/file.err" || fail "the file"
	causes "$dir/file.out"
}
# compare: with what a viewer of the file says, which reads the same log
compare() {
	row=$(describe_file "search PE 1
causes" | sed -n "s/^  location $thread, row \([0-9]*\),.*/\1/p")
	[ -n "$row" ] || fail "no row of location $thread in the file"
	describe_file "causes both $row $at" | by_location >"$dir/file"
	[ "$(wc -l <"$dir/file")" -ge 5 ] || fail "too little in the file"
	wait_for 20 "what the file says" as_in_the_file
}

live
compare
over

live --connect "tcp:127.0.0.1:$port"
compare
# all of it is here by now, also for another question
say "cursor 1ms"
say causes off
say causes
wait_for 20 "another cursor" told
over

# asked for the first time when it is too late
"$monitord" --insecure-loopback --listen "tcp:127.0.0.1:$port" --log "$dir/run.orr" \
    2>"$dir/monitord.err" &
monitord_pid=$!
start_viewer --headless --connect "tcp:127.0.0.1:$port"
wait_for 20 "the viewer to find it" is connected 1
wait_for 20 "a collector" "$monitorctl" who
"$monitorctl" run "$pascal" 12 --pes 3 >/dev/null 2>&1 || fail "pascal"
wait_for 20 "its tasks" is_not tasks 0
"$monitorctl" shutdown >/dev/null || fail "shutdown"
wait "$monitord_pid"
monitord_pid=
say wait finished
wait_for 20 "the end" is connected 0
say search PE 1
say causes
gone
[ $code = 65 ] || fail "without a log it ends with $code"
grep -q 'causes are read from the log, and monitord, which has it, is gone' \
    "$dir/err" || fail "it does not say why there are none"
echo ok

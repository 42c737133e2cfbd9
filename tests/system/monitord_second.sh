#!/bin/sh
# A second monitord in the same place or on the same log says so and harms
# nothing; what a killed one leaves behind is no obstacle.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

none='name: test
nodes:
  - { name: n1, launch: none }'
echo "$none" >"$dir/c.yaml"
port=$(some_port)

start_monitord --insecure-loopback --listen tcp:127.0.0.1:$port "$dir/c.yaml"
# the same runtime directory: nothing is made
refused 75 'another monitord runs at .*monitord.sock; stop it' \
    "$monitord" --log "$dir/other.orr" "$dir/c.yaml"
[ ! -e "$dir/other.orr" ] || fail "the refused one has made a log"
# another runtime directory, but the same log
mkdir -m 700 "$dir/run2"
refused 75 'another monitord is writing .*run.orr' \
    "$monitord" --dir "$dir/run2" --log "$dir/run.orr" "$dir/c.yaml"
# another of both, but the same port
refused 69 "tcp:127.0.0.1:$port is used by another program" \
    "$monitord" --dir "$dir/run2" --log "$dir/other.orr" --insecure-loopback --listen tcp:127.0.0.1:$port "$dir/c.yaml"
"$monitorctl" status >"$dir/status" || fail "the first one was harmed"
# of a node that was never there nothing is made up
says "$dir/status" "n1 .*unsynced *\+- *\? us"

# killed: its socket is stale, its log can be continued, the run is the same
run=$("$monitorctl" status | sed -n 's/^run: *//p')
kill -KILL $monitord_pid
wait $monitord_pid 2>/dev/null
[ -S "$ORRERY_DIR/monitord.sock" ] || fail "no socket was left behind"
start_monitord "$dir/c.yaml"
[ "$("$monitorctl" status | sed -n 's/^run: *//p')" = "$run" ] || fail "another run"
finish
[ ! -e "$ORRERY_DIR/monitord.sock" ] || fail "the socket was left behind"
# a finished log is not written again, and what is no log is left alone
refused 73 'run.orr is a finished log; name another' "$monitord" --log "$dir/run.orr" "$dir/c.yaml"
# nor is anything told of when nothing has happened
"$monitorctl" report "$dir/run.orr" >"$dir/report"
grep -E -- '-[0-9]|[0-9]{12}' "$dir/report" | grep -v started && fail "a report of nothing"
echo "dear diary" >"$dir/diary"
refused 73 'diary is no log of orrery' "$monitord" --log "$dir/diary" "$dir/c.yaml"
[ "$(cat "$dir/diary")" = "dear diary" ] || fail "the diary was written to"
# --- without a name: the second run does not stumble over the first ---
mkdir "$dir/here"
cd "$dir/here" || exit 1
nameless() { # until it answers
	"$monitord" --index no "$dir/c.yaml" >"$dir/said" 2>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord" "$monitorctl" status
}
end() {
	kill -$1 $monitord_pid
	wait $monitord_pid
	monitord_pid=
}
nameless
[ "$(readlink run.orr)" = run-1.orr ] || fail "run.orr is no link to the first log"
"$monitorctl" status >status
says status 'clock: unsynced *[+]- *[?] us' # nothing is known of one that never came
end INT # Ctrl-C prints the receipt
says "$dir/said" '^log        run-1.orr$'
says "$dir/said" '^good: published = stored'
nameless
[ "$(readlink run.orr)" = run-2.orr ] || fail "run.orr is no link to the second log"
run=$("$monitorctl" status | sed -n 's/^run: *//p')
end KILL 2>/dev/null
nameless # goes on with it
[ "$("$monitorctl" status | sed -n 's/^run: *//p')" = "$run" ] || fail "the second run is not continued"
end TERM
says "$dir/said" '^log        run-2.orr$'
# a finished log that has the name of the link gets a number
rm run.orr run-2.orr
mv run-1.orr run.orr
cp run.orr first.orr
nameless
[ "$(readlink run.orr)" = run-2.orr ] || fail "run.orr is no link to the newest log"
end TERM
cmp first.orr run-1.orr || fail "a finished log was touched"
[ -f run-2.orr ] || fail "no new log"
cd "$OLDPWD" || exit 1
echo "second: ok"

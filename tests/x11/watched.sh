#!/bin/sh
# A run that was watched to its end is there at once when its log is opened, as
# it is in the log; also when monitord has written the log anew in the end.
set -u
. "$(dirname "$0")/lib"
. "$tests/hurry.sh"
load=$BUILD/tests/apps/load
[ -x "$monitord" ] && [ -x "$monitorctl" ] && [ -x "$load" ] ||
    skip "needs monitord, monitorctl and load"

cd "$dir" || exit 1
"$monitord" --log run.orr 2>"$dir/monitord.err" &
monitord_pid=$!
wait_for 20 "monitord" "$monitorctl" status
start_viewer --headless
wait_for 20 "the viewer to find it" is connected 1
"$monitorctl" run --full wait "$load" ${LOAD:---wait --threads 4 --events 2400000 --rate 2000000} >/dev/null 2>"$dir/load.err" ||
    fail "load: $(cat "$dir/load.err")"
"$monitorctl" shutdown >/dev/null || fail "shutdown"
wait_for 60 "the end" is finished 1
wait "$monitord_pid"
monitord_pid=
say quit
gone
[ $code = 0 ] || fail "the one that watched ends with $code"
kept() {
	hurry
	[ -s "$(echo "$dir"/cache/orrery/*.view)" ]
}
wait_for 60 "what another process keeps of it" kept
[ "$(readlink "$dir"/cache/orrery/*.log)" = "$dir/run.orr" ] ||
    fail "kept of another log"

from=$(tail -n 1 "$dir/state" | sed -n 's/.*range=[-0-9]*:\([0-9]*\) .*/\1/p' | head -n 1)
to=$((from / 2 + 100000))ns from=$((from / 2))ns
look_at $from:$to kept
grep -q ' known=0 ' "$dir/state" || fail "it was read, not taken from there"
look_at $from:$to read --no-cache
same_look kept read
echo ok

#!/bin/sh
# monitord --index: when the run has ended a viewer keeps what is known of its
# log, in the background; not unless it is told to, not of a short run, and
# quietly when there is no viewer or the log has gone.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
. tests/hurry.sh
export XDG_CACHE_HOME="$dir/cache"
cd "$dir" || exit 1
[ -x "$BUILD/viewer/viewer" ] || { echo "needs the viewer"; exit 77; }

# run PROGRAM OPTIONS...: 4,000 events and the end
run() {
	"$@" -v 2>m.err &
	monitord_pid=$!
	wait_for 20 "monitord" "$monitorctl" status
	"$monitorctl" run "$load" --wait --threads 2 --events 4000 --rate 100000 \
	    >/dev/null 2>&1 || fail "load"
	"$monitorctl" shutdown >shut 2>&1 || fail "$(cat shut)"
	wait "$monitord_pid" || fail "$* ends badly"
	monitord_pid=
}
# settled: nothing of the background is left
nobody() {
	hurry
	for p in $(ours); do # and no longer those that have looked
		kill -0 "$p" 2>/dev/null && return 1
	done
	return 0
}
settled() { wait_for 60 "the viewer's end" nobody; }

run "$monitord" --log never.orr
! grep -q "never.orr: indexed" m.err || fail "indexed by default"
run "$monitord" --log short.orr --index yes
! grep -q "short.orr: indexed" m.err || fail "a short run is indexed"
settled
[ ! -d cache ] || fail "something is kept of them"

run "$monitord" --log run.orr --index 1000
grep -q "run.orr: indexed by a viewer in the background" m.err ||
    fail "not a word: $(cat m.err)"
kept() { hurry; [ -s "$(echo cache/orrery/*.view)" ]; }
wait_for 60 "its image" kept
"$BUILD/viewer/viewer" --index run.orr >out 2>err || fail "$(cat err)"
grep -q "run.orr: is kept already" out || fail "$(cat out)"

# the log goes at once
run "$monitord" --log gone.orr --index 1000
rm gone.orr
settled
[ "$(ls cache/orrery | grep -cv '\.view$\|\.log$\|^secret$')" = 0 ] ||
    fail "something is left: $(ls cache/orrery)"

# no viewer
cp "$monitord" alone
PATH=$BUILD/collector:/usr/bin:/bin run ./alone --log alone.orr --index 1000
! grep -q viewer m.err || fail "it makes words: $(cat m.err)"
"$monitord" --index often -n 2>err && fail "--index often is taken"
grep -q -e "--index often: yes, no or a number" err || fail "$(cat err)"
echo "monitord index: ok"

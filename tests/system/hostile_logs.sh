#!/bin/sh
# Logs that were made to do harm (tests/fuzz/seeds/tracefile): every program
# that reads or continues one ends with a code of its own, soon, in little
# memory.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
seeds=$PWD/tests/fuzz/seeds/tracefile

# tame LOG COMMAND...: neither killed nor for ever, and no more than 1 GB
# (a sanitizer's shadow is larger than any limit)
case $BUILD in */san | */tsan) limit=unlimited ;; *) limit=1048576 ;; esac
tame() {
	log=$1
	shift
	(ulimit -v $limit; exec timeout -s KILL 20 "$@") >"$dir/out" 2>"$dir/tool.err" </dev/null
	code=$?
	[ $code -lt 128 ] || { cat "$dir/tool.err"; fail "$* on $log ended with $code"; }
	if grep -qE 'Sanitizer|runtime error:' "$dir/tool.err"; then
		cat "$dir/tool.err"
		fail "$* on $log"
	fi
}

for seed in "$seeds"/*; do
	name=$(basename "$seed")
	cp "$seed" "$dir/$name.orr"
	for command in "dump" "dump --names --raw" "report" "report --json" "check" "check --yaml" "past"; do
		event=
		[ "$command" != past ] || event=n1/1.1:0
		tame "$name" "$monitorctl" $command "$dir/$name.orr" $event
	done
	tame "$name" "$monitorctl" refit -o "$dir/$name.refit.orr" "$dir/$name.orr"
done

# one that monitord is told to go on with: it does, or says why not
up_or_over() { "$monitorctl" status || grep -q '^State:.Z' "/proc/$monitord_pid/status"; }
for name in two_run_frames event_at_int64_max segment_undefined_node name_number_67m; do
	"$monitord" --index no --log "$dir/$name.orr" 2>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord to take or refuse $name" up_or_over
	"$monitorctl" shutdown >"$dir/receipt" 2>&1
	wait "$monitord_pid"
	code=$?
	monitord_pid=
	[ $code -lt 128 ] || fail "monitord, given $name, ended with $code"
	echo "$name: monitord ends with $code"
done

# --- names that a terminal would obey ---
escapes=$dir/terminal_escapes.orr
for command in "report" "report --yaml" "report --json" "dump --names" "check" "dump --names --raw"; do
	"$monitorctl" $command "$escapes" >"$dir/out" 2>&1
	[ "$(LC_ALL=C tr -d '\011\012\040-\176\200-\377' <"$dir/out" | wc -c)" -eq 0 ] ||
	    fail "$command lets control characters through"
done
"$monitorctl" report "$escapes" >"$dir/out" 2>&1
says "$dir/out" 'run.x1b\]0;pwned.x07'

# --- planted links: what they point to is neither written nor removed ---
precious() {
	echo precious >"$dir/precious"
	for name in "$@"; do ln -s "$dir/precious" "$dir/$name"; done
}
still_precious() {
	[ "$(cat "$dir/precious")" = precious ] || fail "$1 has written where a link points to"
}
log=$PWD/tests/golden/log-version-1
precious new.orr.part new.orr.new
cp "$log" "$dir/mine.orr"
for mode in 600 640; do
	chmod $mode "$dir/mine.orr"
	rm -f "$dir/new.orr"
	(umask 022; "$monitorctl" refit -o "$dir/new.orr" "$dir/mine.orr") >"$dir/out" 2>&1 || { cat "$dir/out"; fail "refit"; }
	[ "$(stat -c %a "$dir/new.orr")" = $mode ] || fail "refit makes $(stat -c %a "$dir/new.orr") of $mode"
done
still_precious refit
# the fold at the end, and the log that is cut
rm -f "$dir/run.orr"
precious run.orr.folding run.orr.new
start_monitord
"$monitorctl" shutdown >/dev/null 2>&1
wait "$monitord_pid"
monitord_pid=
still_precious "the end of a run"
[ -z "$(ls "$dir" | grep -E 'orr\.[0-9a-f]{16}\.new')" ] || fail "something is left behind: $(ls "$dir")"

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
	for command in "dump" "dump --names --raw" "report" "report --yaml" "check" "past"; do
		event=
		[ "$command" != past ] || event=n1/1.1:0
		tame "$name" "$monitorctl" $command "$dir/$name.orr" $event
	done
	tame "$name" "$monitorctl" refit -o "$dir/$name.refit.orr" "$dir/$name.orr"
done

# one that monitord is told to go on with: it does, or says why not
for name in two_run_frames event_at_int64_max segment_undefined_node name_number_67m; do
	"$monitord" --index no --log "$dir/$name.orr" 2>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord to take or refuse $name" \
	    sh -c "grep -q . '$dir/monitord.err' || '$monitorctl' status"
	"$monitorctl" shutdown >"$dir/receipt" 2>&1
	wait "$monitord_pid"
	code=$?
	monitord_pid=
	[ $code -lt 128 ] || fail "monitord, given $name, ended with $code"
	echo "$name: monitord ends with $code"
done

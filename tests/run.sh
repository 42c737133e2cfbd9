#!/bin/sh
# Runs tests and counts.
#
#	tests/run.sh [-v] [-j N] [-b PATTERN] < list
#
# A line of the list is: NAME SECONDS COMMAND...  A test passes with exit code
# 0, is skipped with 77 (its last line says why), and fails otherwise or after
# SECONDS.  The output of a failed test is shown.  The last line is
# "N passed, N failed, N skipped".
#
# Tests run N at a time (1).  With -b what matches PATTERN (grep -E, on the
# whole line) runs beside them, one after another, and before them when both
# want a processor: tests that mostly wait, for programs and windows.  Who has
# no other test left helps with these.
set -u

verbose=0 pattern= workers=1 behind=
while getopts vj:b: o; do
	case $o in
	v) verbose=1 ;;
	j) workers=$OPTARG ;;
	b) pattern=$OPTARG ;;
	*) exit 64 ;;
	esac
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM HUP

# one OUT NAME SECONDS COMMAND: a test, its line of verdict, and what it said
one() {
	out=$1 name=$2 seconds=$3 command=$4
	start=$(date +%s%N)
	$behind timeout -k 5 "$seconds" sh -c "$command" >"$out" 2>&1 </dev/null
	code=$?
	ms=$((($(date +%s%N) - start) / 1000000))
	took=$(printf '%d.%02d s' $((ms / 1000)) $((ms % 1000 / 10)))
	case $code in
	0)	echo "ok      $name ($took)" ;;
	77)	echo "skipped $name: $(tail -n 1 "$out")" ;;
	*)	echo "FAILED  $name ($took, exit $code)"
		[ $code = 124 ] && echo "(stopped after $seconds s)" >>"$out"
		tail -n 60 "$out" | sed 's/^/        /' ;;
	esac
	[ $verbose = 1 ] && [ $code = 0 ] && sed 's/^/        /' "$out"
}

# next LIST: its next line; the end: nothing
next() {
	flock "$dir/lock" sh -c 'n=$(($(cat "$1.at") + 1)) &&
	    echo $n >"$1.at" && sed -n "${n}p" "$1.list"' sh "$dir/$1"
}

# tell FILE: what a test says, in one piece; how far we are ends its first line
tell() {
	flock "$dir/lock" sh -c 'n=$(($(cat "$1/done") + 1)) && echo $n >"$1/done" &&
	    sed "1s|\$| [$n/$3]|" "$2" | tee -a "$1/verdicts"' sh "$dir" "$1" "$all"
}

# work LIST WORKER: runs the tests of a list until none is left
work() {
	while line=$(next "$1") && [ -n "$line" ]; do
		name=${line%% *}
		line=${line#* }
		one "$dir/$2.out" "$name" "${line%% *}" "${line#* }" >"$dir/$2.says"
		tell "$dir/$2.says"
	done
}

count() {
	grep -c "^$1 " "$dir/verdicts"
}

: >"$dir/verdicts"
grep -v '^#' >"$dir/list"
all=$(grep -c . "$dir/list")
for l in done main.at beside.at; do echo 0 >"$dir/$l"; done
if [ -n "$pattern" ]; then
	grep -E "$pattern" "$dir/list" >"$dir/beside.list"
	grep -vE "$pattern" "$dir/list" >"$dir/main.list"
	work beside beside &
	behind='nice -n 5'
else
	mv "$dir/list" "$dir/main.list"
fi
while [ "$workers" -gt 0 ]; do
	{
		work main "main$workers"
		[ -z "$pattern" ] || work beside "main$workers"
	} &
	workers=$((workers - 1))
done
wait

failed=$(count FAILED)
[ "$failed" = 0 ] || echo "failed:" \
    $(sed -n 's/^FAILED  \([^ ]*\).*/\1/p' "$dir/verdicts")
echo "$(count ok) passed, $failed failed, $(count skipped) skipped"
[ "$failed" = 0 ]

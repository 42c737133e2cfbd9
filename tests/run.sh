#!/bin/sh
# Runs tests and counts.
#
#	tests/run.sh [-v] [-b PATTERN] < list
#
# A line of the list is: NAME SECONDS COMMAND...  A test passes with exit code
# 0, is skipped with 77 (its last line says why), and fails otherwise or after
# SECONDS.  The output of a failed test is shown.  The last line is
# "N passed, N failed, N skipped".
#
# Tests run one after another.  With -b there are two such queues beside each
# other: what matches PATTERN (grep -E, on the whole line), and the rest.  So
# tests that mostly wait, for programs and windows, leave no processor idle.
set -u

verbose=0 pattern=
while getopts vb: o; do
	case $o in
	v) verbose=1 ;;
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
	timeout -k 5 "$seconds" sh -c "$command" >"$out" 2>&1 </dev/null
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

# queue NAME: runs the tests of a list; each speaks in one piece
queue() {
	while read -r name seconds command; do
		case $name in ''|'#'*) continue ;; esac
		one "$dir/$1.out" "$name" "$seconds" "$command" >"$dir/$1.says"
		flock "$dir/lock" tee -a "$dir/verdicts" <"$dir/$1.says"
	done <"$dir/$1.list"
}

count() {
	grep -c "^$1 " "$dir/verdicts"
}

: >"$dir/verdicts"
cat >"$dir/list"
if [ -n "$pattern" ]; then
	grep -E "$pattern" "$dir/list" >"$dir/beside.list"
	grep -vE "$pattern" "$dir/list" >"$dir/main.list"
	queue beside &
else
	mv "$dir/list" "$dir/main.list"
fi
queue main
wait

failed=$(count FAILED)
[ "$failed" = 0 ] || echo "failed:" \
    $(sed -n 's/^FAILED  \([^ ]*\).*/\1/p' "$dir/verdicts")
echo "$(count ok) passed, $failed failed, $(count skipped) skipped"
[ "$failed" = 0 ]

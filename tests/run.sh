#!/bin/sh
# Runs tests and counts.
#
#	tests/run.sh [-v] < list
#
# A line of the list is: NAME SECONDS COMMAND...  A test passes with exit code
# 0, is skipped with 77 (its last line says why), and fails otherwise or after
# SECONDS.  The output of a failed test is shown.  The last line is
# "N passed, N failed, N skipped".
set -u

verbose=0
[ "${1:-}" = -v ] && verbose=1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
passed=0 failed=0 skipped=0 names=

while read -r name seconds command; do
	case $name in ''|'#'*) continue ;; esac
	start=$(date +%s%N)
	timeout -k 5 "$seconds" sh -c "$command" >"$out" 2>&1 </dev/null
	code=$?
	ms=$((($(date +%s%N) - start) / 1000000))
	took=$(printf '%d.%02d s' $((ms / 1000)) $((ms % 1000 / 10)))
	case $code in
	0)	passed=$((passed + 1)); echo "ok      $name ($took)" ;;
	77)	skipped=$((skipped + 1))
		echo "skipped $name: $(tail -n 1 "$out")" ;;
	*)	failed=$((failed + 1)); names="$names $name"
		[ $code = 124 ] && echo "(stopped after $seconds s)" >>"$out"
		echo "FAILED  $name ($took, exit $code)"
		tail -n 60 "$out" | sed 's/^/        /' ;;
	esac
	[ $verbose = 1 ] && [ $code = 0 ] && sed 's/^/        /' "$out"
done

[ -z "$names" ] || echo "failed:$names"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

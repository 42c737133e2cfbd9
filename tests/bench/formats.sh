#!/bin/sh
# Formats in and out: events a second that monitorctl export writes, records a
# second of PICL that import reads, and questions of SQL, by processor time.
# Prints lines of bench.tsv.
#
#	formats.sh [EVENTS]
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
events=${1:-3000000}
makelog=$BUILD/tests/bench/makelog

# took COMMAND...: its user and system time in seconds
took() {
	python3 -c 'import os, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
t = os.times(); print(t.children_user + t.children_system)' "$@"
}
line() { # WHAT COUNT SECONDS UNIT GOAL
	awk -v w="$1" -v n="$2" -v s="$3" -v u="$4" -v g="$5" 'BEGIN {
		printf "formats: %s\t%.0f\t%s\tgoal\t%s\t%.2f\n", w, n / s, u, g, n / s / g }'
}

"$makelog" -n "$events" "$dir/big.orr" >"$dir/out" || fail "makelog"
n=$(sed 's/ .*//' "$dir/out")
for f in ctf otf2 sqlite chrome paje csv; do
	s=$(took "$monitorctl" export -o "$dir/x.$f" --format $f "$dir/big.orr") || fail "$f"
	line "export $f" "$n" "$s" events/s 3000000
	if [ $f = sqlite ]; then
		# what SQLite itself takes for the same rows and indices
		s=$(took python3 -B "$tests/bench/sqlite_floor.py" "$dir/x.$f" "$dir/floor") || fail "floor"
		line "export sqlite, SQLite alone" "$n" "$s" events/s 3000000
	fi
	rm -rf "$dir/x.$f"
done
python3 -B "$tests/tools/traces.py" "$monitorctl" "$dir" 1000000 >"$dir/out" || fail "a trace"
s=$(took "$monitorctl" import -o "$dir/picl.orr" "$dir/big.picl") || fail "import"
line "import PICL" "$(cat "$dir/out")" "$s" records/s 1000000
s=$(took "$monitorctl" query "$dir/big.orr" 'SELECT kind, count(*) FROM events GROUP BY kind')
line "query: events by kind" "$n" "$s" events/s 3000000
s=$(took "$monitorctl" query "$dir/big.orr" "SELECT max(duration_ns) FROM spans WHERE kind = 'enter'")
line "query: the longest call" "$n" "$s" events/s 3000000

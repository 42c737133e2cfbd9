#!/bin/sh
# How long the first answer about a file with 50 MB of debug information takes, as
# the collector's helper asks, and a further one: by who has never opened it; and from
# the start of such a program, made with -finstrument-functions, until a function of it
# has its name in the log.  The least and the median of some.  Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
symbols=$BUILD/tests/bench/symbols
[ -x "$symbols" ] || fail "no $symbols: make bench-programs"

# one source with 4,000 functions and structs, which are linked in 21 times
awk 'BEGIN {
	for (i = 0; i < 4000; i++) {
		printf "struct of_%d {", i
		for (m = 0; m < 12; m++)
			printf " %s member_%d_of_%d;", m % 3 ? "long" : "struct of_" i " *", m, i
		printf " };\nstatic __attribute__((used)) long function_%d(struct of_%d *first_%d, long second_%d)\n", i, i, i, i
		printf "{\n\tlong sum_%d = second_%d;\n\tfor (int i = 0; i < 10; i++)\n\t\tsum_%d += ", i, i, i
		printf "first_%d->member_1_of_%d * i;\n\treturn (sum_%d);\n}\n", i, i, i
	} }' >"$dir/part.c"
cat >"$dir/main.c" <<'END'
#include <poll.h>
__attribute__((noinline)) void asked_for(void) { __asm__ volatile(""); }
int main(void) { asked_for(); poll(0, 0, 3000); return (0); }
END
CC=${CC:-cc}
o=$dir/part.o
$CC -O1 -g -c -o "$o" "$dir/part.c" &&
    $CC -O1 -g -finstrument-functions -c -o "$dir/main.o" "$dir/main.c" &&
    $CC -o "$dir/big" "$dir/main.o" $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o $o || fail "cannot make it"

for i in 1 2 3 4 5 6 7; do "$symbols" "$dir/big" || fail "symbols"; done | sort -n | awk '
	{ first[NR] = $1; if (NR == 1 || $2 < next_us) next_us = $2; mb = $3 }
	END {
		printf "symbols: first answer about %.0f MB, least\t%.0f\tms\tgoal\t300\t%.2f\n", mb, first[1], first[1] / 300
		printf "symbols: first answer about %.0f MB, median\t%.0f\tms\tgoal\t300\t%.2f\n", mb, first[4], first[4] / 300
		printf "symbols: a further answer\t%.1f\tus\t\t\t\n", next_us
	}'

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
$CC -o "$dir/small" "$dir/main.o" || fail "cannot make it"
# named PROGRAM: in the how maniest ms of it a function has its name in the log
named() {
	had=$(known)
	began=$(date +%s%N)
	"$monitorctl" run "$1" 2>"$dir/err" &
	program=$!
	while [ "$(known)" = "$had" ] && kill -0 $program 2>/dev/null; do :; done
	after=$((($(date +%s%N) - began) / 1000000))
	wait $program || fail "the program"
}
known() { "$monitorctl" dump --kind enter "$dir/run.orr" 2>/dev/null | grep -c asked_for; }
named "$dir/small" # nobody has come before
named "$dir/small"
small=$after
named "$dir/big"
awk -v t="$after" -v small="$small" 'BEGIN {
	printf "symbols: from the start of a program of that size to a name in the log\t%d\tms\ta small one\t%d\t%.2f\n", t, small, t / small }'

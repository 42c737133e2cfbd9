#!/bin/sh
# Functions of programs that have no word about Orrery in them, made with
# -finstrument-functions: each enter has its leave, in order, however a function
# is left; they are called as in the sources; and what can be known of a file
# whose symbols are elsewhere, gone, cut or of another one is known.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
command -v python3 >/dev/null || skip "no python3"
silent='-finstrument-functions-exclude-file-list=/usr/include,arguments.h,bits/'
switch="-finstrument-functions -fno-omit-frame-pointer"
make_it() { # FILE OPTIONS...
	out=$1
	shift
	${CC:-cc} -O2 -g -pthread -o "$dir/$out" "$@" || fail "cannot make $out"
}

# run CODE WHAT "FUNCTION CALLS"... -- COMMAND...: it ends so, and these are all
# functions that the log has of it, the N-th process of the run
n=0
run() {
	code=$1 n=$((n + 1))
	echo "$2" >"$dir/what.$n"
	shift 2
	: >"$dir/lines"
	while [ "$1" != -- ]; do
		echo "$1" >>"$dir/lines"
		shift
	done
	sort "$dir/lines" >"$dir/want.$n"
	shift
	"$monitorctl" run "$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ $got = "$code" ] || { cat "$dir/err"; fail "$* ended with $got"; }
}
# calls N ARGUMENT...
calls() {
	grep -F " n1/$1." "$dir/dump" >"$dir/part"
	shift
	python3 tests/tools/calls.py "$@" <"$dir/part"
}
tree() { run 0 "$1" "main 1" "first 10" "second 10" "third 100" "fourth 100" "fifth 1000" -- "$dir/calltree" 0; }

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1

make_it calltree $switch $silent examples/calltree.c
tree "call tree"
says "$dir/err" 'events of 1 thread, 0 lost'

# at the place for which it was linked
mkdir "$dir/fixed"
make_it fixed/calltree $switch $silent -no-pie examples/calltree.c
run 0 "a program that is not moved" "main 1" "first 10" "second 10" "third 100" \
    "fourth 100" "fifth 1000" -- "$dir/fixed/calltree" 0

# the helper is killed: the next one finds out what is asked
helpers() {
	for p in $(ours); do
		grep -qsa 'internal=[h]elper' "/proc/$p/cmdline" && echo "$p"
	done
}
there_is_one() { [ -n "$(helpers)" ]; }
wait_for 5 "a helper" there_is_one
kill -KILL $(helpers)

# symbols in a file beside it, found by .gnu_debuglink; then they are cut, are
# of another one, are gone: called by file and place
# apart DIRECTORY DEBUG: builds of their own, since what is known of one is known
apart() {
	mkdir "$dir/$1"
	make_it "$1/whole" $switch $silent -DBUILD_OF="$1" examples/calltree.c \
	    -Wl,--build-id=0x$2$2$2$2$2$2$2$2
	objcopy --only-keep-debug "$dir/$1/whole" "$dir/$1/calltree.debug"
	strip -o "$dir/$1/calltree" "$dir/$1/whole"
	(cd "$dir/$1" && objcopy --add-gnu-debuglink=calltree.debug calltree)
}
unknown() {
	run 0 "symbols: $1" "calltree# 1" "calltree# 10" "calltree# 10" \
	    "calltree# 100" "calltree# 100" "calltree# 1000" -- "$dir/$1/calltree" 0
}
apart good 01
apart cut 02
apart other 03
apart gone 04
cp "$dir/good/calltree.debug" "$dir/other/calltree.debug"
head -c 6000 "$dir/good/calltree.debug" >"$dir/cut/calltree.debug"
rm "$dir/gone/calltree.debug"
run 0 "symbols in a file beside it" "main 1" "first 10" "second 10" "third 100" \
    "fourth 100" "fifth 1000" -- "$dir/good/calltree" 0
unknown cut
unknown other
unknown gone

# left in other ways than by a return
for fp in -fno-omit-frame-pointer -fomit-frame-pointer; do
	make_it ways -finstrument-functions $fp tests/apps/functions/ways.c
	run 0 "longjmp $fp" "main 1" "jumps 1" "far_away 500" "after 100" -- "$dir/ways" jumps
	run 0 "within each other $fp" "main 1" "fib 1973" -- "$dir/ways" fib
	run 3 "exit $fp" "main 1" "ends 1" -- "$dir/ways" exit
	run 3 "exit in a handler $fp" "main 1" "alternate 1" "handler 1" "ends 1" -- "$dir/ways" handler
	run 0 "threads $fp" "main 1" "threads 1" "thread 4" "deep 16" -- "$dir/ways" threads
	run 0 "deep $fp" "main 1" "deep 4095" -- "$dir/ways" deep
	run 0 "left by a jump $fp" "main 1" "voids 1" "small 41" "large 30" "after 60" -- "$dir/ways" voids
	voids="${voids:-} $n"
done
if command -v c++ >/dev/null; then
	c++ -O2 -g $switch $silent -o "$dir/throws" tests/apps/functions/throws.cc ||
	    fail "cannot make throws"
	run 0 "exceptions" "main 1" "tries 10" "ns::Solver<double>::step 40" \
	    "ns::Solver<double>::operator+ 10" -- "$dir/throws"
fi

# code that comes later, and a symbol of 100 kB in it
cat >"$dir/plug.c" <<'END'
#define X10(a) a a a a a a a a a a
void plug(int n);
void silent(void) __asm__("l" X10(X10(X10(X10("0123456789")))));
__attribute__((noinline)) void silent(void) { __asm__ __volatile__(""); }
void plug(int n) { if (n > 0) plug(n - 1); __asm__ __volatile__(""); silent(); }
END
cat >"$dir/host.c" <<'END'
#include <dlfcn.h>
#include <poll.h>
/* It has to live until somebody has looked what it has loaded. */
int main(int argc, char **argv)
{
	void *so = dlopen(argv[argc - 1], RTLD_NOW);
	void (*plug)(int) = (void (*)(int))dlsym(so, "plug");
	for (int i = 0; i < 20; i++) {
		plug(9);
		poll(0, 0, 5);
	}
	return (0);
}
END
make_it plug.so -O0 $switch -shared -fPIC "$dir/plug.c"
make_it host $switch "$dir/host.c"
run 0 "code that comes later" "main 1" "plug 200" \
    "l01234567890123456789012345678901234567890123456789012345678" -- \
    "$dir/host" "$dir/plug.so"

# threads that wait for each other: what they print is known, and their calls;
# known OUTPUT WHAT "FUNCTION CALLS"... -- NAME [ARGUMENT]
known() {
	output=$1
	shift
	run 0 "$@"
	[ "$(cat "$dir/out")" = "$output" ] || fail "$(cat "$dir/out"), not $output"
}
for p in philosophers bathroom datingservice textsearch trading; do
	make_it $p $switch $silent -D_GNU_SOURCE examples/$p.c
done
known "philosophers 5, meals 15" "philosophers" "main 1" "philosopher 5" "think 15" \
    "take 15" "eat 15" "put 15" "pause_ns 30" -- "$dir/philosophers"
known "visits 25, mixed 0" "bathroom" "main 1" "user 5" "enter 25" "wash 25" \
    "leave 25" -- "$dir/bathroom"
known "pairs 3" "dating service" "main 1" "girl 3" "boy 3" "date 6" -- "$dir/datingservice"
for v in 1:40 2:4 3:4; do
	set -- "piece 40" "search 40"
	[ $v != 2:4 ] || set -- "search 4"
	known "version ${v%:*}: found 676" "text search $v" "main 1" "write_text 1" \
	    "start ${v#*:}" "slave ${v#*:}" "$@" -- "$dir/textsearch" ${v%:*}
done

# overtaken only in version 1, which has no function for turns; asked for in
# version 2, more often than there are orders; looked up in two books in 4
for v in 1 2 3 4; do
	run 0 "trading $v" "main 1" "send_batch 10" "clerk 4" "take 44" "serve 40" \
	    "match 40" "look_up 40" "pause_us 40" "close_market 2" -- "$dir/trading" $v
	asked=$(sed -n 's/.* asked //p' "$dir/out") overtaken=0
	case $v in
	1) overtaken=20 ;;
	2)
		[ "$asked" -ge 60 ] || fail "asked $asked times"
		sed -i "s/^pause_us 40/pause_us $asked/" "$dir/want.$n" # 40 less, 40 more
		printf "is_turn $asked\nwait_for_turn 40\n" >>"$dir/want.$n"
		;;
	4) echo "copy_book 2" >>"$dir/want.$n" ;;
	esac
	sort -o "$dir/want.$n" "$dir/want.$n"
	[ "$(cat "$dir/out")" = "version $v: orders 40, overtaken $overtaken, traded 280 for 2520, asked $asked" ] ||
	    fail "$(cat "$dir/out")"
done

finish
"$monitorctl" dump "$log" >"$dir/dump"
for i in $(seq $n); do
	calls "$i" >"$dir/calls" || fail "$(cat "$dir/what.$i"): $(cat "$dir/calls")"
	sed 's/#[0-9a-f]*+0x[0-9a-f]*/#/' "$dir/calls" | cut -c 1-60 | sort >"$dir/have"
	diff "$dir/want.$i" "$dir/have" || fail "$(cat "$dir/what.$i"): other calls"
done
calls 7 --paths >"$dir/calls" # longjmp, with frame pointers
says "$dir/calls" '^main;jumps;after 100$'
for i in $voids; do
	calls "$i" --paths >"$dir/calls"
	sort -o "$dir/calls" "$dir/calls"
	sort <<'END' | diff - "$dir/calls" || fail "$(cat "$dir/what.$i"): called by others"
main 1
main;voids 1
main;voids;large 10
main;voids;large;after 20
main;voids;large;large 10
main;voids;large;large;after 20
main;voids;large;large;large 10
main;voids;large;large;large;after 20
main;voids;large;large;large;small 10
main;voids;large;large;small 10
main;voids;large;small 10
main;voids;small 11
END
done
# gprof counts the same
if command -v gprof >/dev/null; then
	(cd "$dir" && cc -O2 -g -pg -I"$tests/.." -o gprofed "$tests/../examples/calltree.c" && ./gprofed 0 &&
	    gprof -b -p gprofed gmon.out) >"$dir/gprof"
	for f in first:10 second:10 third:100 fourth:100 fifth:1000; do
		says "$dir/gprof" " ${f#*:} .* ${f%:*}\$"
	done
fi
"$monitorctl" report --json "$log" >"$dir/report" # it has them all
python3 - "$dir/report" <<'P' || fail "the report has other functions"
import json, sys
have = {(f["name"], f["program"], f["calls"], f["place"].rpartition("/")[2].split(":")[0])
        for f in json.load(open(sys.argv[1]))["functions"]}
want = {("main", "calltree", 1, "calltree.c"), ("fifth", "calltree", 1000, "calltree.c"),
        ("eat", "philosophers", 15, "philosophers.c")}
assert want <= have, want - have
P
echo "functions by name, however they are left"

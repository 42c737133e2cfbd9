#!/bin/sh
# Figures of a range, of threads, functions, call paths and messages, are exact
# to the integer, also where single changes were given up for want of memory and where
# they never were in it: a script waits for that, and so does --describe.  With
# EVENTS=4500000 also that until then they are marked as being about right.
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
[ -x "$viewer" ] && [ -x "$makelog" ] || { echo "needs viewer and makelog"; exit 77; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-exact.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ORRERY_DIR="$dir" XDG_CACHE_HOME="$dir/cache" XDG_CONFIG_HOME="$dir"
cd "$dir" || exit 1
fail() { echo "FAIL: $*"; [ ! -s err ] || cat err; exit 1; }
# from 4500000 on the memory is too small for all
events=${EVENTS:-600000}
ranges='10.1234ms:21.7ms 1ms:16.5ms 3.3ms:3.31ms'

"$makelog" -n "$events" -b 4096 -r 12 run.orr >/dev/null || fail makelog

# figures NAME OPTIONS...: of all ranges, in figures-NAME
figures() {
	name=$1
	shift
	{
		echo "wait read"
		echo "tree-of calls"
		for r in $ranges; do
			echo "range $r"
			echo "describe"
		done
		echo quit
	} | "$viewer" --headless --script - --state-fd 3 "$@" run.orr \
	    3>"state-$name" >out 2>err || fail "figures $name"
	grep -E '^activity of|^ .*[0-9] calls, |^ .* bytes, on the way|: setup ' out >"figures-$name"
}

# same NAME: nothing is only about right, and all are as they should be
same() {
	! grep -q '~' "figures-$1" || fail "$1: $(cat "figures-$1")"
	cmp figures-all "figures-$1" || fail "other figures: $1"
}

figures all --no-cache --memory 4G
grep -q 'waits for a lock [1-9]' figures-all || fail "no figures"
[ "$(grep -cE '^activity of [^ ]*:' figures-all)" = 12 ] ||
    fail "figures of 4 nodes, three times"
grep -q '^  bigp: 8[0-9] calls, ' figures-all || fail "no functions"
grep -q ' to .*: [0-9]*, [0-9]* bytes, on the way [0-9]* ns$' figures-all || fail "no messages"
grep -q '^    work_a: .* calls, .* self ' figures-all || fail "no call paths"

figures capped --no-cache --memory 32M
same capped
for r in $ranges; do
	"$viewer" --describe --no-cache --memory 32M --range "$r" run.orr \
	    2>err | grep -E '^activity of|^  [^ ].*[0-9] calls, |^ .* bytes, on the way|: setup ' \
	    >>figures-still
done
grep -v '^    ' figures-all | grep -v ' all threads:' >figures-rows
! grep -q '~' figures-still || fail "still: $(cat figures-still)"
cmp figures-rows figures-still || fail "other figures: still"

"$viewer" --index run.orr >/dev/null 2>err || fail "index"
figures kept
same kept
grep -q ' known=0 ' state-kept || fail "nothing was given up: kept"
# what does not fit is read for as long that it is shown, and marked, before
[ "$events" -lt 4500000 ] || grep -q 'figures=about' state-capped ||
    fail "nothing was given up: capped"

# of two runs whose sums come when they come the trees of calls are compared
for i in 60000 30000; do
	"$makelog" -n $i -b 4096 -r 12 "$i.orr" >/dev/null || fail makelog
done
for i in 1 2 3 4; do
	printf 'wait read\ntree-of calls\ndescribe\nquit\n' |
	    "$viewer" --headless --no-cache --script - 60000.orr \
		30000.orr >out 2>err || fail "two runs"
	grep -E '^  paths in both: [1-9]' out >"both-$i" ||
	    fail "nothing in both: $(grep 'in both' out)"
	cmp both-1 "both-$i" || fail "other paths in both"
done
echo ok

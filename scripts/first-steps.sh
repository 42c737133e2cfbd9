#!/bin/sh
# What README.md and orrery(7) tell a newcomer to type, word for word, with
# what is installed, in a directory of its own.  Once for root and once for a
# user: tests/system/first_hour.sh and scripts/first-hour.sh run it.
#
#	scripts/first-steps.sh TREE		where README.md and docs/ are
set -u
tree=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/first.XXXXXX")
export ORRERY_DIR=$work/run
mkdir -m 700 "$ORRERY_DIR"
cd "$work" || exit 70
unset LD_LIBRARY_PATH DISPLAY
stop() {
	code=$?
	monitorctl shutdown >/dev/null 2>&1
	rm -rf "$work"
	exit $code
}
trap stop EXIT
fail() {
	echo "FAIL: $*"
	for f in out err; do [ ! -s $f ] || { echo "-- $f:"; tail -n 20 $f; }; done
	exit 1
}
wait_for() {
	limit=600 what=$1
	shift
	until "$@" >/dev/null 2>&1; do
		limit=$((limit - 1))
		[ $limit -gt 0 ] || fail "waited in vain for $what"
		sleep 0.05
	done
}
says() { grep -Eq -- "$1" out || fail "$2 does not say: $1"; }
# what is indented in a section of README.md
indented() {
	awk -v title="## $1" '/^## / { in_it = $0 == title }
	    in_it && (/^    / || /^$/) { print substr($0, 5) }' "$tree/README.md"
}
# what a section of orrery(7) types
typed() {
	sed -n "/^\\.Sh $1/,/^\\.Sh /p" "$tree/docs/orrery.7" |
	    sed -n 's/^\(\.Dl \)\{0,1\}\$ //p' | sed 's/\\&//g'
}
# type_it COMMAND: as at a terminal, where one waits for what one has started
type_it() {
	echo "\$ $1" >>typed
	case $1 in
	'monitord &')
		monitord 2>>err &
		monitord=$!
		wait_for monitord monitorctl status
		wait_for "the collector" monitorctl who ;;
	viewer*) ;; # x11/ does that
	*'&') fail "what is $1?" ;;
	*) sh -c "$1" >out 2>&1 || fail "'$1' ended with $?" ;;
	esac
}
after_shutdown() {
	wait "$monitord" || fail "monitord ended with $?"
}
# whole LOG: it is finished and good
whole() {
	monitorctl check "$1" >out 2>&1 || fail "$1 does not check"
}

# --- orrery(7), a first run ---
first_run() {
	typed 'A FIRST RUN' >commands
	[ -s commands ] || fail "orrery(7) types nothing in A FIRST RUN"
	while read -r line <&3; do
		type_it "$line"
		case $line in
		*pascal*) says '^tasks 2235, ' "$line" ;;
		*shutdown) says '^good: published = stored \+ lost$' "$line"
			after_shutdown ;;
		*report*) says '^tasks 2235, deepest level 56, ' "$line" ;;
		esac
	done 3<commands
	whole run.orr
}
first_run
if monitord --help | grep -q 'run-1\.orr'; then
	first_run # in the same directory
	first_run
fi

# --- README, a first program of your own ---
indented 'A first program of your own' | sed '/^cc /,$d' >first.c
indented 'A first program of your own' | sed -n '/^cc /,$p' | grep . >commands
grep -q 'main(void)$' first.c && grep -q '^cc ' commands || fail "README has no first program"
mkdir second && cd second || exit 70
cp ../first.c ../commands .
: >out >err
type_it 'monitord &'
while read -r line <&3; do
	type_it "$line"
done 3<commands
cat >first.cpp <<'CPP'
#include <probe.hpp>

int
main()
{
	for (int i = 0; i < 1000; i++)
		probe::scope here(PROBE_NAME("step_cpp"));
}
CPP
type_it 'c++ -o cpp first.cpp $(pkg-config --cflags --libs probe)'
type_it 'monitorctl run ./cpp'
# probe(3) tells how other languages do it
sed -n '/^import ctypes$/,/^\.Ed/p' "$tree/docs/probe.3" | sed '$d' >first.py
python=$([ -s first.py ] && command -v python3)
[ -z "$python" ] || type_it 'monitorctl run python3 first.py'
type_it 'monitorctl shutdown'
says '^good: published = stored \+ lost$' shutdown
after_shutdown
whole run.orr
monitorctl report --yaml run.orr >out || fail report
says '"step", program: "first", .* calls: 1000,' report
says '"step_cpp", program: "cpp", .* calls: 1000,' report
[ -z "$python" ] || says 'program: "python3' report

# --- Ctrl-C: nothing is lost, and the daemon ends ---
mkdir ../third && cd ../third || exit 70
type_it 'monitord &'
type_it 'monitorctl run ../second/first'
kill -INT "$monitord"
wait "$monitord"
code=$?
[ $code -eq 0 ] || [ $code -eq 130 ] || fail "monitord ended with $code after Ctrl-C"
monitorctl check --unfinished run.orr >out 2>&1 || fail "the log after Ctrl-C"
monitorctl dump run.orr >out
[ "$(grep -c 'enter .*step' out)" -eq 1000 ] || fail "events are gone after Ctrl-C"
echo "first steps of $(id -un): ok"

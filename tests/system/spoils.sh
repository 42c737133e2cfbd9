#!/bin/sh
# A program that writes over its environment, closes and uses again all descriptors,
# forks in a thread and ends in a handler, or becomes another user (tests/apps/spoils.c):
# it prints and ends as
# without, whatever is recorded, and its threads and its child's are in the log to
# their ends.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
spoils=$BUILD/tests/apps/spoils
"$spoils" >"$dir/bare" 2>&1
bare=$?
[ $bare = 9 ] || fail "by itself it ends with $bare"

# one LEVEL [COMMAND...]: in a run of its own
one() {
	level=$1
	shift
	rm -f "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	timeout -s KILL 60 "$monitorctl" run --full wait:30000 --memory "$level" "$@" "$spoils" >"$dir/out" 2>"$dir/err"
	code=$?
	[ $code = $bare ] || { cat "$dir/err"; fail "$level $*: code $code, not $bare"; }
	cmp "$dir/bare" "$dir/out" || fail "$level $*: another output"
	finish
	"$monitorctl" dump --kind po_begin,po_end,thread_create,thread_begin,thread_end "$dir/run.orr" >"$dir/life"
	# itself, with three threads; its child, with two
	[ "$(grep -c 'po_begin.*spoils' "$dir/life")" = 2 ] || { cat "$dir/life"; fail "$level $*: another number of processes"; }
	[ "$(grep -c 'po_end' "$dir/life")" = "$(grep -c 'po_begin' "$dir/life")" ] || fail "$level $*: not told to the end"
	[ "$(grep -c 'thread_create' "$dir/life")" = 5 ] || { cat "$dir/life"; fail "$level $*: another number of threads"; }
}
cluster 1 "sched: yes, sample: 999" >"$dir/c.yaml"
one counts
one all
# not attached before it does all that: its settings are what they were
one counts sh -c '"$0"; exit $?'

# a server that begins as root, and is not so any more when it begins its work
if [ "$(id -u)" = 0 ]; then
	"$spoils" user >"$dir/bare" || [ $? = 9 ] || fail "another user by itself"
	rm -f "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	"$monitorctl" run sh -c '"$0" user; exit $?' "$spoils" >"$dir/out" 2>"$dir/err"
	code=$?
	[ $code = 9 ] && cmp "$dir/bare" "$dir/out" || { cat "$dir/err"; fail "another user: code $code"; }
	finish
	"$monitorctl" dump --kind po_begin,thread_create "$dir/run.orr" >"$dir/life"
	[ "$(grep -c 'po_begin.*spoils' "$dir/life")" = 1 ] || { cat "$dir/life"; fail "another user is not seen once"; }
	[ "$(grep -c 'thread_create' "$dir/life")" = 2 ] || { cat "$dir/life"; fail "another user: threads"; }
fi
mkdir -m 700 "$dir/none"
"$spoils" >"$dir/bare"
ORRERY_DIR=$dir/none "$monitorctl" run "$spoils" >"$dir/out" 2>"$dir/err"
[ $? = $bare ] && cmp "$dir/bare" "$dir/out" || fail "without a collector: other"

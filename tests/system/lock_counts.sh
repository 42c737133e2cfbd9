#!/bin/sh
# Locks that nobody has to wait for, of a program that knows how often it took each:
# as counts, as events, and not at all; the sums are the program's own, also of its
# child, of more locks than a thread counts one by one, and of threads that are
# still there when the process ends.
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "nothing is loaded before sanitized programs" ;; esac
counted=$BUILD/tests/apps/counted

cluster 1 >"$dir/c.yaml"
# record LEVEL COMMAND...: output as without; the log is $dir/run.orr
record() {
	level=$1
	shift
	rm -f "$dir/run.orr"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	"$@" >"$dir/bare" || fail "without: $?"
	timeout -s KILL 60 "$monitorctl" run --full wait:30000 --locks "$level" "$@" >"$dir/out" 2>"$dir/err" ||
	    { cat "$dir/err"; fail "$level: $?"; }
	cmp "$dir/bare" "$dir/out" || fail "$level: it prints something else"
	finish
	"$monitorctl" dump "$dir/run.orr" >"$dir/dump" || fail "dump"
	read -r x taken x passed x posted x signalled <"$dir/out"
}

# sum KIND N: its counts together
sum() {
	n=$(awk -v kind="$1" '$3 == kind { sub(/.*more=/, ""); n += $1 } END { print n + 0 }' "$dir/dump")
	[ "$n" = "$2" ] || fail "$1: $n, not $2"
}

# each KIND N: so many events
each() {
	n=$(awk -v kind="$1" '$3 == kind { n++ } END { print n + 0 }' "$dir/dump")
	[ "$n" = "$2" ] || fail "$1: $n events, not $2"
}

# the child takes one lock more, and ends without a word: by _exit
record counts "$counted"
sum lock_taken "$taken"
sum sem_passed "$passed"
sum sem_posted "$posted"
sum cond_signalled "$signalled"
each lock_acquire 0
[ "$(wc -l <"$dir/dump")" -lt 8000 ] || fail "counts are told too often"
"$monitorctl" report "$dir/run.orr" >"$dir/text" || fail "report"
"$monitorctl" report --json "$dir/run.orr" >"$dir/json" || fail "report --json"
python3 - "$dir/json" "$taken" "$passed" "$posted" "$signalled" <<'PY' || fail "report: other sums"
import json, sys
locks = json.load(open(sys.argv[1]))["locks"]
def total(sort, what):
    return sum(l[what] for l in locks if l["sort"] == sort)
shown = [total("lock", "acquisitions"), total("semaphore", "acquisitions"),
    total("semaphore", "signals"), total("condition", "signals")]
assert shown == [int(n) for n in sys.argv[2:]], shown
assert sum(l["contended"] for l in locks if l["sort"] == "lock") == 0
assert any(int(l["id"], 0) == 0 for l in locks), "none was counted with others"
PY
says "$dir/text" '^  \(others\)  *lock '

record all "$counted"
each lock_taken 0
each sem_passed 0
each sem_acquire "$passed"
each sem_post "$posted"
each cond_signal "$signalled"
# and one by the child, which has said what it did by then
each lock_acquire $((taken + 1))
python3 - "$dir/dump" <<'PY' || fail "who holds a lock"
import re, sys
from collections import Counter
held, turn, bad = Counter(), {}, []
for line in open(sys.argv[1]):
    w = line.split()
    if w[2] not in ("lock_acquire", "lock_release"):
        continue
    lock, n = (int(re.search(k + r"=(\w+)", line)[1], 0) for k in ("lock", "turn"))
    held[lock] += 1 if w[2] == "lock_acquire" else -1
    if held[lock] < 0:
        bad.append(line)
    if w[2] == "lock_release" and n:
        turn[lock] = n
    elif w[2] == "lock_acquire" and n and turn.get(lock) != n:
        bad.append(line)
assert not bad, bad[:3]
assert sum(held.values()) == 1, held  # the child's
PY

record contended "$counted"
for kind in lock_taken sem_passed sem_posted cond_signalled lock_acquire; do
	each $kind 0
done

# threads that never end: whoever ends the process tells what they have not
cat >"$dir/stay.c" <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex[4];
static pthread_barrier_t done;

static void *
work(void *m)
{
	for (int i = 0; i < 777; i++) {
		pthread_mutex_lock(m);
		pthread_mutex_unlock(m);
	}
	pthread_barrier_wait(&done);
	for (;;)
		pause();
}

int
main(void)
{
	pthread_t t;

	pthread_barrier_init(&done, NULL, 5);
	for (int i = 0; i < 4; i++) {
		pthread_mutex_init(&mutex[i], NULL);
		if (pthread_create(&t, NULL, work, &mutex[i]) != 0)
			abort();
	}
	pthread_barrier_wait(&done);
	puts("taken 3108 passed 0 posted 0 signalled 0");
	exit(0);
}
C
${CC:-cc} -pthread -o "$dir/stay" "$dir/stay.c" || fail "cannot make stay"
record counts "$dir/stay"
sum lock_taken "$taken"
[ "$(awk '$3 == "lock_taken" { print $4 }' "$dir/dump" | sort -u | wc -l)" = 4 ] || fail "not four locks"

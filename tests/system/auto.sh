#!/bin/sh
# monitorctl run: a program that knows nothing of Orrery prints and ends
# as without, and is in the log with its threads, their names, who has created
# and joined them, and its waits: each ends, and by far the most know whose
# release has ended them.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
# a sanitizer's library has to be the first that is loaded
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
waits=$BUILD/tests/apps/waits

# same NAME COMMAND...: output, errors and code as without, but for one line
same() {
	name=$1
	shift
	"$@" >"$dir/bare.out" 2>"$dir/bare.err" </dev/null
	bare=$?
	"$monitorctl" run "$@" >"$dir/auto.out" 2>"$dir/auto.err" </dev/null
	code=$?
	[ $code = $bare ] || fail "$name: code $code, not $bare"
	cmp "$dir/bare.out" "$dir/auto.out" || fail "$name: another output"
	grep -v '^monitorctl: ' "$dir/auto.err" | cmp "$dir/bare.err" - || fail "$name: other errors"
}

# unseen WHY COMMAND...: it runs, and why nothing is seen is said
unseen() {
	why=$1
	shift
	ends_saying 0 "threads and locks are not seen: $why" "$monitorctl" run "$@"
}

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
same waits "$waits" 100
says "$dir/auto.err" 'events of 9 threads, 0 lost'
same "a shell's children" sh -c "'$waits' 3 | sort; exit 3"
same descriptors sh -c 'ls -l /proc/self/fd | sed "s/.* \([0-9]*\) ->.*/\1/"'
same "a pipe that breaks" sh -c 'yes | head -n 1'

# a malloc of another that takes a lock of its own and cannot be entered twice,
# as jemalloc at its first call
cat >"$dir/malloc.c" <<'END'
#include <pthread.h>
#include <stdlib.h>

void *__libc_malloc(size_t);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int inside;

void *
malloc(size_t n)
{
	if (inside)
		abort();
	inside = 1;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	inside = 0;
	return (__libc_malloc(n));
}

__attribute__((constructor)) static void
first(void)
{
	free(malloc(1));
}
END
if ${CC:-cc} -O1 -fno-builtin -shared -fPIC -o "$dir/malloc.so" "$dir/malloc.c"; then
	export LD_PRELOAD="$dir/malloc.so"
	same "another malloc" "$waits" 3
	unset LD_PRELOAD
fi

# a mremap of another that takes a lock of its own, as UCX has for MPI; the lock
# looks as if somebody waited for it, so each release of it would be told
cat >"$dir/mremap.c" <<'END'
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
take(void)
{
	pthread_mutex_lock(&lock);
	lock.__data.__lock = 2;
	pthread_mutex_unlock(&lock);
}

void *
mremap(void *p, size_t old, size_t new, int flags, ...)
{
	take();
	return ((void *)syscall(SYS_mremap, p, old, new, flags, 0L));
}

void *
mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	take();
	return ((void *)syscall(SYS_mmap, p, n, prot, flags, fd, at));
}

int
socket(int domain, int type, int protocol)
{
	take();
	return ((int)syscall(SYS_socket, domain, type, protocol));
}
END
if ${CC:-cc} -O1 -D_GNU_SOURCE -shared -fPIC -o "$dir/mremap.so" "$dir/mremap.c"; then
	export LD_PRELOAD="$dir/mremap.so"
	same "another mremap" timeout -s KILL 20 "$waits" 3
	unset LD_PRELOAD
fi

# one that tells of itself: nothing is told twice
"$monitorctl" run "$load" --threads 2 --events 1000 >"$dir/load" 2>&1 || fail "load"

if [ "$(id -u)" = 0 ]; then # another user's, or it has no other privileges
	cp /bin/true "$dir/true"
	chown nobody "$dir/true" && chmod u+s "$dir/true"
	unseen "it is set-user-ID" "$dir/true"
fi
printf 'int main(void) { return (0); }\n' >"$dir/static.c"
if ${CC:-cc} -static -o "$dir/static" "$dir/static.c" 2>/dev/null; then
	unseen "it is linked statically" "$dir/static"
fi
# a second libprobe, opened by its path: its events are those of one process,
# and its numbers are the first one's
cat >"$dir/second.py" <<'END'
import ctypes, sys, threading
probe = ctypes.CDLL(sys.argv[1])
probe.probe_name.restype = ctypes.c_uint32
probe.probe_id.restype = ctypes.c_uint64
step = probe.probe_name(b"a step")
probe.probe_thread_name(b"the first")


def work():
    for _ in range(5):
        probe.probe_phase_begin(step)
        probe.probe_phase_end(step, ctypes.c_uint64(1))


work()
other = threading.Thread(target=work)
other.start()
other.join()
assert probe.probe_attached() == 1 and probe.probe_id() >> 32 & 0xfffff == probe.probe_po()
END
# the interpreter itself: what stands in its place may be a script that waits
python=$(python3 -c 'import sys; print(sys.executable)')
"$monitorctl" run --memory off "$python" "$dir/second.py" "$BUILD/libprobe.so" 2>"$dir/err" || fail "a second libprobe"
says "$dir/err" 'events of 2 threads, 0 lost \(node'
# not before it: no library but the program's own
ends_saying 0 "^LD_PRELOAD=$" "$monitorctl" run --plain sh -c 'echo "LD_PRELOAD=$LD_PRELOAD"'
finish

"$monitorctl" report "$dir/run.orr" >"$dir/report"
says "$dir/report" '^  a step  *python3[^ ]*  *10 '
says "$dir/report" ' the first '
"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
python3 - "$dir/rows" 4 <<'END' || fail "not what the programs did"
# The log of so many runs of waits, and of nothing else that waits.
import collections, csv, sys

runs = int(sys.argv[2])
count, asleep, turns = collections.Counter(), {}, collections.Counter()
created, begun, joined, told = set(), set(), set(), set()
released, held, known, waited = set(), set(), 0, 0
begins = {"lock_wait": ("lock_acquire", "lock_giveup"), "cond_wait": ("cond_wake",),
          "sem_wait": ("sem_acquire", "lock_giveup"), "thread_wait": ("thread_join",),
          "barrier_enter": ("barrier_leave",)}
cause = {"lock_acquire": "lock_release", "sem_acquire": "sem_post"}


def need(what, *values):
    if not what:
        sys.exit(f"FAIL: {values}")


for row in csv.DictReader(open(sys.argv[1]), delimiter="\t"):
    where, kind, a, b = row["location"], row["kind"], int(row["a"], 0), int(row["b"], 0)
    count[kind] += 1
    if kind in begins:
        need(where not in asleep, "waits twice", row, asleep.get(where))
        asleep[where] = kind, a
    elif where in asleep and kind in begins[asleep[where][0]]:
        need(a in (asleep[where][1], 0), "another one has ended", row)
        if kind in cause:
            waited, known = waited + 1, known + (b != 0)
        del asleep[where]
    if kind == "lock_acquire":
        held.add((where, a))
    elif kind == "lock_release":
        held.discard((where, a))
    if kind in ("lock_release", "sem_post"):
        need((kind, a, b) not in released, "a number twice", row)
        released.add((kind, a, b))
    elif kind in cause and b != 0:
        need((cause[kind], a, b) in released, "let in by nobody", row)
        released.remove((cause[kind], a, b))
    elif kind == "barrier_enter":
        turns[a, b] += 1
    elif kind == "thread_create":
        created.add(a)
    elif kind == "thread_begin" and a != 0:
        begun.add(a)
    elif kind == "thread_join":
        joined.add(a)
need(not asleep, "still waits", asleep)
need(not held, "never given up", held)
# load tells of its two threads itself, once, and not that it joins them;
# Python does not join its one
need(len(created) == runs * 8 + 2 + 1 and created == begun, created, begun)
need(joined < created and len(joined) == runs * 8, joined)
need(set(turns.values()) == {4} and len(turns) == 100 + 3 + 3 + 3, turns)
# the one that is cancelled may be so before it waits
need(runs * 3 <= count["lock_giveup"] <= runs * 4, count)
need(waited > 100 and known > 0.9 * waited, "of", waited, "waits it is known who ended", known)
print(f"{waited} waits, of {known} it is known who has ended them")
END
"$monitorctl" report "$dir/run.orr" | grep -q 'n1/.* locks ' || fail "names of threads"

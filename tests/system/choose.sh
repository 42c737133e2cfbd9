#!/bin/sh
# What is recorded is chosen while a program runs: by class, name, thread and
# program, from outside and from inside.  The program knows how often it did
# what (tests/apps/chosen.c), so every count is exact: before a change and after
# it, of a child, of the next program, and when daemons were started again.
. tests/lib.sh

chosen=$BUILD/tests/apps/chosen

# program NAME: starts one that is called so, which does what it is told
program() {
	cp "$chosen" "$dir/$1"
	rm -f "$dir/in"
	mkfifo "$dir/in"
	LD_LIBRARY_PATH=$BUILD ORRERY_NODE=n1 "$dir/$1" <"$dir/in" >"$dir/out" &
	program_pid=$!
	exec 3>"$dir/in"
	said=0
}
has_said() { [ "$(grep -c . "$dir/out")" -ge "$said" ]; }
tell() {
	kill -0 $program_pid || fail "the program has ended"
	echo "$*" >&3
	said=$((said + 1))
	wait_for 30 "$*" has_said
	! grep -q failed "$dir/out" || fail "$*: $(cat "$dir/out")"
}
ends() {
	exec 3>&-
	wait "$program_pid" || fail "the program ends with $?"
}
probe() { "$monitorctl" probe "$@" >"$dir/probe" 2>&1 || fail "probe $*: $(cat "$dir/probe")"; }
# shows TEXT: what is recorded, as the last answer says
shows() { grep -qF -- "$1" "$dir/probe" || fail "not '$1' but: $(cat "$dir/probe")"; }
# is N KIND [WORDS]: so many of that kind are in the log
is() {
	n=$(awk -v kind="$2" -v words="${3:-}" '$3 == kind && (words == "" || index($0, words))' "$dir/dump" | wc -l)
	[ "$n" = "$1" ] || fail "$2 ${3:-}: $n in the log, $1 were to be recorded"
}
log() {
	finish
	"$monitorctl" dump "$dir/run.orr" >"$dir/dump" || fail "dump"
}

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml" 3>&-
wait_for 10 "the node" nodes_ready 1

# by class, also in a child; what is open is told to its end
program one
tell open
tell go 1000
tell wait
probe -lock -memory -note
shows 'recorded: "all classes but lock, memory, note"'
tell woke
tell go 300
tell woke
tell fork 20
probe +lock -call
tell go 7
tell shut
probe +call
tell go 5
# by name
tell open
probe '-db_*' -call 'stays_*'
tell open
tell go 40
tell shut
tell shut
probe -phase '+phase:ph?se' '-lock:log*'
tell go 60
# by file: the program's names have none
probe --reset '-file:*.c'
tell go 1
ends
# the next program obeys the present choice, by its own name, too
probe --reset -lock --program two --later
shows '"-lock --program=two"'
program two
tell go 11
ends
# and decides itself about the names that it makes
probe '-note:no*'
program three
tell go 13
ends
log
is 1350 enter db_query
is 1350 leave db_query
is 1450 enter ui_draw
is 1450 leave ui_draw
is 2 enter stays_open
is 2 leave stays_open
is 1026 lock_wait db_lock
is 1026 lock_acquire db_lock
is 1026 lock_release db_lock
is 1066 lock_acquire log_lock
is 1 lock_wait late_lock
is 1 lock_acquire late_lock
is 1066 lock_release log_lock
is 1025 mem_alloc
is 1025 mem_free
is 1012 note
is 1457 phase_begin
is 1457 phase_end
# each change is in the log when it came into force, and a child's at its start
is 9 choice
is 1 choice 'what="all classes but memory, note; without db_*; without call stays_*"'
is 2 choice 'what="all classes but lock, memory, note"'
is 1 choice 'what="all classes but lock"'

# threads, the program's own will, and daemons that are killed
rm -f "$dir"/run*.orr
start_monitord "$dir/c.yaml" 3>&-
wait_for 10 "the node" nodes_ready 1
program four
probe -all --thread 'le*'
shows '; without all of threads le*"'
tell together 20
probe -all --thread 'fou*'
tell go 9
probe --reset -lock
tell mute
tell go 77
tell mute
tell unmute
tell go 3
tell unmute
tell mute call
tell go 5
tell unmute call
tell stop
tell go 66
tell fork 2
tell start
tell go 1
tell flush
before=$("$monitorctl" status --yaml | sed -n 's/^    pid: //p')
worker() { "$monitorctl" status --yaml | sed -n 's/^    pid: //p'; }
new_worker() { [ "$(worker)" != "$before" ] && nodes_ready 1; }
in_force() { "$monitorctl" probe | grep -q 'in_force: true'; }
kill -KILL "$before"
wait_for 30 "another worker" new_worker
wait_for 30 "the choice at another worker" in_force
tell go 7
kill -KILL $monitord_pid
wait $monitord_pid 2>/dev/null
start_monitord "$dir/c.yaml" 3>&-
wait_for 30 "the node at another monitord" nodes_ready 1
choice_is_back() { in_force && "$monitorctl" probe | grep -q '"-lock"'; }
wait_for 30 "the choice at another monitord" choice_is_back
tell go 11
probe +lock
tell go 13
ends
log
is 52 enter db_query
is 52 leave ui_draw
is 57 phase_begin
is 57 phase_end
is 33 lock_wait db_lock
is 33 lock_release log_lock
is 1 muted 'muted=6142 before=0 whole=0'
is 2 muted 'muted=6142 before=0 whole=1' # and of the child
is 1 muted 'muted=8 before=0 whole=0'

# functions that have no word about us in them, the cluster file, and a cap
rm -f "$dir"/run*.orr
cat >"$dir/f.c" <<'END'
#include <stdio.h>
void db_a(void), ui_b(void);
__attribute__((noinline)) void db_a(void) { __asm__ volatile(""); }
__attribute__((noinline)) void ui_b(void) { db_a(); __asm__ volatile(""); }
__attribute__((no_instrument_function)) int
main(void)
{
	char line[50];
	int n;

	while (fgets(line, sizeof(line), stdin) && sscanf(line, "%d", &n) == 1) {
		for (int i = 0; i < n; i++)
			ui_b();
		puts("done");
		fflush(stdout);
	}
	return (0);
}
END
${CC:-cc} -O1 -g -finstrument-functions -fno-omit-frame-pointer -o "$dir/f" "$dir/f.c" ||
    fail "no program with functions"
{ cluster 1; echo 'probe: [-note, "cap:1000 --program=chosen"]'; } >"$dir/c.yaml"
start_monitord "$dir/c.yaml" 3>&-
wait_for 10 "the node" nodes_ready 1
rm -f "$dir/in"
mkfifo "$dir/in"
# a library with sanitizers wants theirs first
asan=
if grep -q __asan_init "$BUILD/libprobe-auto.so"; then
	asan="$(${CC:-cc} -print-file-name=libasan.so) "
fi
LD_PRELOAD="$asan$BUILD/libprobe-auto.so" ASAN_OPTIONS=detect_leaks=0 "$dir/f" <"$dir/in" >"$dir/out" &
program_pid=$!
exec 3>"$dir/in"
said=0
tell 10
# names of functions come when they have been looked up
named() { "$monitorctl" dump --kind enter --names "$dir/run.orr" 2>/dev/null | grep -q db_a; }
wait_for 30 "names of functions" named
probe '-db_*'
shows 'all classes but note; without db_*'
tell 100
probe '+db_*' '-ui*'
tell 1000
probe -call
tell 3
probe --reset
shows 'all classes but note"'
tell 30
ends
cp "$chosen" "$dir/chosen"
program chosen
tell go 50000
ends
log
is $((10 + 1000 + 30)) enter function=db_a
is $((10 + 1000 + 30)) leave function=db_a
is $((10 + 100 + 30)) enter function=ui_b
is $((10 + 100 + 30)) leave function=ui_b
is 0 note
# what is told and what is counted are all calls, for as long as it took
for f in db_query ui_draw; do
	told=$(awk '$3 == "enter"' "$dir/dump" | grep -c "function=$f")
	counted=$(sed -n "s/.* measure value=\([0-9]*\) .*counter=$f.*/\1/p" "$dir/dump" | tail -n 1)
	[ "$told" -ge 1000 ] || fail "$f: told $told times"
	[ $((told + ${counted:-0})) = 50000 ] || fail "$f: $told told, $counted counted"
	[ "$told" -lt 50000 ] || fail "$f: there was no cap"
	is "$told" leave "function=$f"
done

# a window in time: other rules for a while
rm -f "$dir"/run*.orr
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml" 3>&-
wait_for 10 "the node" nodes_ready 1
program five
probe -all
tell go 10
probe +phase --for 0.4
tell go 20
# not only decided: come into force, as what was before and the window did
over() { [ "$("$monitorctl" dump --kind choice "$dir/run.orr" | wc -l)" -ge 3 ]; }
wait_for 30 "the end of a window" over
tell go 40
ends
log
n=$(awk '$3 == "phase_begin"' "$dir/dump" | wc -l)
[ "$n" -le 20 ] || fail "phases after a window: $n"
is "$n" phase_end
is 3 choice
is 1 choice what=phase
is 0 enter

# what makes no sense: one sentence, and nothing has changed
rm -f "$dir"/run*.orr
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml" 3>&-
wait_for 10 "the node" nodes_ready 1
refused 64 "no such class" "$monitorctl" probe -lokc
refused 64 "life and monitor are always recorded" "$monitorctl" probe -life
refused 64 "only call, lock, phase and note" "$monitorctl" probe '-memory:db*'
refused 64 "expected a pattern" "$monitorctl" probe '-lock:'
refused 64 "at most 119 bytes" "$monitorctl" probe "-$(printf '%0200d' 0)*"
refused 64 "needs a \\+ or -" "$monitorctl" probe -all 'db*'
refused 64 "expected \\+CLASS" "$monitorctl" probe lock
refused 64 "names and threads cannot" "$monitorctl" probe '-db*' --thread a
refused 64 "threads: no such option" "$monitorctl" probe -lock --threads a
refused 64 "needs a value" "$monitorctl" probe -lock --node
refused 64 "no rule that it could be for" "$monitorctl" probe --node n1
refused 64 "expected cap:" "$monitorctl" probe cap:many
refused 64 "expected seconds" "$monitorctl" probe -lock --for ever
refused 64 "no rule that it could be for" "$monitorctl" probe --for 3
refused 64 "a cap is for a process" "$monitorctl" probe cap:7 --thread a
refused 69 "no node is called n7" "$monitorctl" probe -lock --node n7
refused 69 "no program called nobody has been seen" "$monitorctl" probe -lock --program nobody
probe
shows 'changes: 0'
finish

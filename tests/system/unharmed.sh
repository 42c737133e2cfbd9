#!/bin/sh
# Programs of Debian, and some of ours, under monitorctl run, with a collector
# and without one: what they print, how they end and which files they leave is as
# without Orrery.
# tests/unharmed/programs says what they do.
#
#	unharmed.sh [NAME...]	only these
#
# ALL=1: a program that is not here is a failure.
# CLASSES=all: and all that can be recorded is: each piece of memory with its stack,
# functions of Python, the scheduler, and samples.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "a sanitized libprobe-auto.so is not for other programs" ;; esac
table=$tests/unharmed/programs
export LC_ALL=C BUILD LIBS=/usr/lib/$(uname -m)-linux-gnu GO_CACHE=$dir/go
unset LD_PRELOAD ASAN_OPTIONS 2>/dev/null

# what they find in their folder
mkdir -p "$dir/given/tree"
awk 'BEGIN { x = 1; for (i = 0; i < 20000; i++) { x = (x * 69069 + 5) % 4294967296; printf "%08x\n", x } }' >"$dir/given/words"
seq 5000 >"$dir/given/numbers"
for i in $(seq 60); do sed -n "$((i * 50)),$((i * 50 + 20))p" "$dir/given/words" >"$dir/given/tree/f$i"; done
cat >"$dir/given/sum.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static long sum, done;

static void *
add(void *n)
{
	for (long i = 0; i < 20000; i++) {
		pthread_mutex_lock(&lock);
		sum += i % (long)n;
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
	return (malloc(10));
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	pthread_t t[8];
	void *p;

	for (long i = 0; i < n; i++)
		pthread_create(&t[i], NULL, add, (void *)(i + 2));
	pthread_mutex_lock(&lock);
	while (done < n)
		pthread_cond_wait(&more, &lock);
	pthread_mutex_unlock(&lock);
	for (long i = 0; i < n; i++) {
		pthread_join(t[i], &p);
		free(p);
	}
	printf("%ld\n", sum);
	return ((int)n);
}
END
printf '#include <stdio.h>\nint main(void) { puts("hello"); return (0); }\n' >"$dir/given/hello.c"
chmod 755 "$dir" # su and memcached become others

# once TO COMMAND...: the program in a new folder, all of the same name
once() {
	to=$1
	shift
	rm -rf "$dir/place"
	cp -r "$dir/given" "$dir/place"
	(cd "$dir/place" && exec timeout -k 5 60 "$@" >"$to.out" 2>"$to.err" </dev/null)
	code=$?
	# a shell tells of a signal with the number of its script's line, and of the process
	{ echo "code $code"; cat "$to.out"; echo "-- errors:"; grep -v '^monitorctl: ' "$to.err" | sed 's/[0-9][0-9]* Killed/Killed/'
	  echo "-- files:"; (cd "$dir/place" && find . -type f ! -name '*.pid' | sort | xargs -d '\n' -r cksum); } >"$to"
}

everything= defaults=
[ "${CLASSES:-}" != all ] || everything="--memory all --locks all --python" defaults="sched: yes, sample: 999"
cluster 1 ${defaults:+"$defaults"} >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
ran=0 missing= harmed= other=
while IFS= read -r line; do
	case $line in ''|'#'*) continue ;; esac
	name=${line%% | *} rest=${line#* | }
	needs=${rest%% | *} command=${rest#* | }
	[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	for c in $(eval "echo $needs"); do
		command -v "$c" >/dev/null || [ -e "$c" ] || { missing="$missing $name"; continue 2; }
	done
	began=$(date +%s)
	once "$dir/bare" sh -c "$command"
	[ $code -ne 124 ] || { other="$other $name(does-not-end)"; continue; }
	[ -s "$dir/bare.out" ] || { other="$other $name(says-nothing)"; continue; }
	# shellcheck disable=SC2086
	once "$dir/seen" "$monitorctl" run $everything sh -c "$command"
	if ! cmp -s "$dir/bare" "$dir/seen"; then
		once "$dir/again" sh -c "$command"
		if cmp -s "$dir/bare" "$dir/again"; then
			harmed="$harmed $name"
			echo "-- $name: without Orrery, and with it"
			diff "$dir/bare" "$dir/seen" | head -n 20
		else # it says another thing each time: its line in the table is no test
			other="$other $name"
			echo "-- $name: without Orrery, and again"
			diff "$dir/bare" "$dir/again" | head -n 20
		fi
		continue
	fi
	once "$dir/alone" env ORRERY_DIR="$dir/none" "$monitorctl" run sh -c "$command"
	if ! cmp -s "$dir/bare" "$dir/alone"; then
		harmed="$harmed $name(no-collector)"
		diff "$dir/bare" "$dir/alone" | head -n 20
		continue
	fi
	ran=$((ran + 1))
	[ $(($(date +%s) - began)) -lt 10 ] || echo "$name took $(($(date +%s) - began)) s for three times"
done <"$table"
"$monitorctl" status >"$dir/status" || fail "status"
finish
# the shell of each row at least was there: else this compares nothing
seen=$("$monitorctl" dump --kind po_begin "$dir/run.orr" | wc -l)
[ "$seen" -ge "$ran" ] || fail "of $ran programs $seen were seen"
echo "$ran programs are the same with Orrery, with a collector and without"
[ -z "$missing" ] || echo "not here:$missing"
[ -z "$other" ] || fail "these say another thing each time:$other"
[ -z "$harmed" ] || fail "harmed:$harmed"
[ -z "${ALL:-}" ] || [ -z "$missing" ] || fail "these have to be here:$missing"
[ $ran -gt 0 ] || skip "none of the programs is here"

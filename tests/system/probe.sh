#!/bin/sh
# probe.h as its users have it: in C and C++, with both compilers, at every
# level of optimisation, static and shared, and compiled away.
set -u
cd "$(dirname "$0")/../.."
B=${BUILD:-build}
ldd "$B/libprobe.so" | grep -qE 'lib[a-z]*san' &&
    { echo "libprobe has a sanitizer in it, which other programs lack"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
warn="-Wall -Wextra -Wpedantic -Wshadow -Wundef -Wconversion -Werror"

fail() {
	echo "$*"
	bad=1
}

cat >"$dir/use.c" <<'END'
#include "probe.h"
#include "probe_mutex.h"

static struct probe_mutex mutex = PROBE_MUTEX_INITIALIZER;
int work(int n);

#define ORDER(FIELD) FIELD(number, id, "") FIELD(client, name, "") \
	FIELD(price, real, "EUR") FIELD(left, value, "") FIELD(good, flag, "")
PROBE_KIND(order, ORDER);

int
work(int n)
{
	uint64_t m = probe_message_id();

	PROBE_SCOPE();
	probe_mutex_lock(&mutex);
	probe_task_spawn(probe_id(), 0, PROBE_NAME("work"));
	probe_send(m, (uint64_t)n, 1);
	probe_receive(m, (uint64_t)n, 1);
	probe_mutex_unlock(&mutex);
	probe_thread_join(probe_thread_create(0));
	if (probe_enabled(PROBE_CLASS_note))
		probe_note(PROBE_NAME_HERE("note"), n);
	PROBE_TELL(order, m, PROBE_NAME("Ada"), 1.5, -n, n == 0);
	return (n);
}

int
main(void)
{
	return (work(0) + probe_attached() + (int)probe_po());
}
END
cp "$dir/use.c" "$dir/use.cc"
cat >"$dir/guards.cc" <<'END'
#include <stdexcept>
#include <utility>

#include "probe.hpp"

static int
work(int n)
{
	probe::scope here(PROBE_FUNCTION());
	probe::phase phase(PROBE_NAME("phase"));
	probe::task task(probe_id(), 0, PROBE_NAME("task"));
	probe::block block(2, PROBE_NAME("block"));
	probe::member member(block, 0, PROBE_NAME("member"));
	probe::serve serve(probe_id(), 3, PROBE_NAME("serve"));

	phase.units(3);
	serve.answer(4);
	if (n > 0)
		throw std::runtime_error("n");
	return n;
}

class base {};
class drone : public base, public probe::object
{
      public:
	int load = 3;

	drone() : object("drone", "scout") {}
	explicit drone(const arrival &a) : object(a) {}
};

/* 0: ids, hops and names are as they should be, also of copies and moves */
static int
objects()
{
	unsigned char way[drone::packed_bytes];
	drone one, two(one), three(std::move(one));
	probe::object made("part", nullptr, three, false);
	uint64_t id = three.id();

	{
		probe::waits here(three, PROBE_NAME("order"));
	}
	three.follow(two.command(id, "n2"), "n2");
	size_t n = three.pack("n2", way, sizeof(way));
	drone there(drone::arrival{ way, n });
	if (!one.gone() || !three.gone() || two.gone() || there.gone())
		return 1;
	if (there.id() != id || there.hops() != 1 || made.creator() != id)
		return 2;
	two = std::move(there);
	if (two.id() != id || !there.gone())
		return 3;
	return two.nickname()[0] != 's' || two.class_name()[0] != 'd';
}

int
main()
{
	if (objects() != 0)
		return 2;
	try {
		work(1);
	} catch (const std::exception &) {
		return work(0);
	}
	return 1;
}
END

cc=${CC:-cc} cxx=${CXX:-c++}
export ORRERY_DIR="$dir/none" # no collector
for off in '' -DPROBE_OFF; do
	for o in 0 2 3; do
		for std in c99 c11 gnu17; do
			$cc -std=$std -O$o $off $warn -pthread -Ilibprobe -o "$dir/use" \
			    "$dir/use.c" -L"$B" -lprobe -Wl,-rpath,"$(realpath "$B")" &&
			    "$dir/use" || fail "C: -std=$std -O$o $off"
		done
		for std in c++11 c++17 c++20; do
			for f in use guards; do
				$cxx -std=$std -O$o $off $warn -pthread -Ilibprobe \
				    -o "$dir/$f" "$dir/$f.cc" -L"$B" -lprobe \
				    -Wl,-rpath,"$(realpath "$B")" &&
				    "$dir/$f" || fail "C++: $f -std=$std -O$o $off"
			done
		done
	done
done
# nothing is left of it
$cc -O2 -DPROBE_OFF -Ilibprobe -c -o "$dir/off.o" "$dir/use.c" || fail "off"
nm "$dir/off.o" | grep probe_ && fail "PROBE_OFF leaves something"
# in other people's shared libraries, and from the archive
$cc -O2 -fPIC -shared -pthread -Ilibprobe -o "$dir/lib.so" "$dir/use.c" \
    -L"$B" -lprobe || fail "in a shared library"
$cc -O2 -pthread -Ilibprobe -o "$dir/static" "$dir/use.c" "$B/libprobe.a" &&
    "$dir/static" || fail "from the archive"
# it exports what it says, and needs libc only
nm -D --defined-only "$B/libprobe.so" | awk '$2 != "A" && $3 !~ /^(probe_|__cyg_profile_func_(enter|exit)@)/ { print; n = 1 } END { exit !n }' &&
    fail "exports more than probe_*"
readelf -d "$B/libprobe.so" | grep NEEDED | grep -vE 'libc\.so|ld-linux|lib[atu]+san|libgcc' &&
    fail "needs more than libc"
readelf -d "$B/libprobe.so" | grep -q NODELETE || fail "may be unloaded"
# what would lose a name, or what is behind a point, does not compile; a name
# that is a number of any kind does
refused() {
	printf '#include "probe.h"\nenum e { E = 3 };\nvoid f(uint32_t n, char c);\nvoid f(uint32_t n, char c) { (void)n; (void)c; %s; }\n' "$2" >"$dir/odd.$1"
	case $1 in c) compile=$cc ;; *) compile="$cxx -std=c++11" ;; esac
	! $compile $3 -w -Ilibprobe -fsyntax-only "$dir/odd.$1" 2>"$dir/odd.err"
}
for off in '' -DPROBE_OFF; do
	for what in 'PROBE_SCOPE_NAMED("tick")' 'probe_phase_begin("tick")' \
	    'probe_enter(NULL, "f")' 'probe_counter("n", 1)' \
	    'probe_counter(n, 1.5)' 'probe_note(n, 1.5f)' \
	    'probe_task_spawn(1, 0, "work")' 'probe_lock_wait(1, "lock")'; do
		for l in c cc; do
			refused $l "$what" "$off" || fail "compiles: $what in $l $off"
		done
	done
	for what in 'probe_counter(n, -1); probe_note(n, c)' \
	    'probe_counter_real(n, 1.5); probe_counter_real(n, 1)' \
	    'probe_phase_begin(E); probe_phase_end(n, 1)' \
	    'probe_counter(PROBE_NAME("x"), INT64_MIN)'; do
		for l in c cc; do
			refused $l "$what" "$off" && { cat "$dir/odd.err"; fail "does not compile: $what in $l $off"; }
		done
	done
done
# a kind has at most 8 fields, at most 3 of them names, of types that there are
kind() { # FIELD...
	printf '#include "probe.h"\n#define K(F)'
	printf ' F(%s, %s, "")' "$@"
	printf '\nPROBE_KIND(k, K);\nvoid f(void);\nvoid f(void) { PROBE_TELL(k, 0); }\n'
}
eight='a number b value c real d id e ns f bytes g flag h name'
for off in '' -DPROBE_OFF; do
	kind $eight >"$dir/kind.c"
	$cc $off -w -Ilibprobe -fsyntax-only "$dir/kind.c" || fail "a kind of 8 fields"
	for odd in "$eight i number" 'a name b name c name d name' 'a int'; do
		kind $odd >"$dir/kind.c"
		$cc $off -w -Ilibprobe -fsyntax-only "$dir/kind.c" 2>/dev/null &&
		    fail "a kind of $odd compiles"
	done
done
refused c '_Static_assert(PROBE_NUMBER(-1) == -1, "signed")' '' && fail "a number loses its sign"
# on a machine of 32 bits it says what is wrong, and is out of the way if told to
if [ "$(uname -m)" = x86_64 ]; then
	echo '#include "probe.h"' >"$dir/small.c"
	$cc -m32 -ffreestanding -fsyntax-only -Ilibprobe "$dir/small.c" 2>&1 |
	    grep -q 'error.*needs a 64-bit machine; compile with -DPROBE_OFF' || fail "32 bits: not a word"
	$cc -m32 -ffreestanding -fsyntax-only -DPROBE_OFF -Ilibprobe "$dir/small.c" || fail "32 bits: -DPROBE_OFF"
fi
# every inline function is a real one, too, for other languages
sed -n '/PROBE_INLINE [a-z]/{n;s/^\(probe_[a-z_]*\)(.*/\1/p}' libprobe/probe.h libprobe/probe/*.h | sort -u >"$dir/inline"
nm -D --defined-only "$B/libprobe.so" | sed 's/.* //; s/@.*//' | sort >"$dir/real"
[ "$(wc -l <"$dir/inline")" -gt 50 ] || fail "where are the inline functions?"
comm -23 "$dir/inline" "$dir/real" | grep . && fail "not in the library"
if command -v python3 >/dev/null; then
	python3 - "$B/libprobe.so" <<'END' || fail "not to be used by ctypes"
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
lib.probe_name.restype = ctypes.c_uint32
lib.probe_phase_begin(lib.probe_name(b"from Python"))
lib.probe_counter_real(lib.probe_name(b"x"), ctypes.c_double(0.5))
lib.probe_phase_end(lib.probe_name(b"from Python"), ctypes.c_uint64(3))
END
fi
# event after event on a hot path, there is no call but to the cold parts
printf '#include "probe.h"\nvoid f(uint64_t);\nvoid f(uint64_t m) { probe_send(m, 1, 2); }\n' >"$dir/hot.c"
$cc -O2 -Ilibprobe -c -o "$dir/hot.o" "$dir/hot.c" &&
    objdump -dr "$dir/hot.o" | grep -E 'R_X86_64_PLT32' |
    grep -vE 'probe_(slow|nested|clock)' && fail "the straight path calls"
# the manual page has every kind that a program makes, and every function
for kind in $(sed -n '/, *monitor, */d;s/^EVENT(\([a-z_]*\),.*/\1/p' proto/events.def); do
	case $kind in
	po_begin|po_end|thread_end) continue ;; # the collector's, and our own
	thread_name|measure|sched_*) continue ;; # told by probe_thread_name(); the collector's
	own|own_more) continue ;; # told by probe_tell()
	mem_given|mem_sample|mem_code|heap_*) continue ;; # of libprobe-auto.so
	lock_taken|sem_passed|sem_posted|cond_signalled) continue ;; # the same
	io_*|system_*|stream_gap) continue ;; # of libprobe-auto.so, too
	sample_*|choice) continue ;; # the collector's
	muted) continue ;; # told by probe_mute() and probe_stop()
	esac
	grep -q "^\.It Fn probe_$kind " docs/probe.3 ||
		fail "docs/probe.3 lacks probe_$kind"
	grep -q "^probe_$kind(\|probe_$kind(" libprobe/probe/*.h ||
		fail "probe.h lacks probe_$kind"
done
exit $bad

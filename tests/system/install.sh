#!/bin/sh
# make install into an empty place; a first own program built with what is
# there, by pkg-config, runs and is watched.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */build) ;; *) skip "only for the plain build" ;; esac
make -s install DESTDIR="$dir/root" PREFIX=/usr >/dev/null || fail "make install"
root=$dir/root/usr
export PKG_CONFIG_PATH=$root/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dir/root
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
[ "$("$root/bin/orrery-pascal" 10 --pace 0 | tail -n 1)" != "" ] || fail "no example"
[ -f "$root/share/doc/orrery/examples/pascal.c" ] || fail "no source of an example"
cat >"$dir/first.c" <<'C'
#include <probe.h>

int
main(void)
{
	for (int i = 0; i < 1000; i++) {
		probe_enter(0, PROBE_NAME("step"));
		probe_leave(0, PROBE_NAME("step"));
	}
	return (0);
}
C
cc -o "$dir/first" "$dir/first.c" $(pkg-config --cflags --libs probe) || fail "the first program does not build"
for p in collector monitord monitorctl viewer; do
	"$root/bin/$p" --version >/dev/null || fail "$p --version"
done
for m in man1/viewer.1 man3/probe.3 man8/monitord.8; do
	[ -f "$root/share/man/$m" ] || fail "no $m"
done
monitord=$root/bin/monitord monitorctl=$root/bin/monitorctl
start_monitord
wait_for 10 "a node" nodes_ready 1
LD_LIBRARY_PATH=$root/lib "$monitorctl" run "$dir/first" || fail "the first program"
finish
"$monitorctl" report "$dir/run.orr" >"$dir/report" || fail report
"$monitorctl" dump "$dir/run.orr" | grep -c 'enter.*step' | grep -qx 1000 || fail "not all of it is in the log"

# --- what others have put there stays ---
echo theirs >"$root/lib/libprobe.so.7"
echo theirs >"$root/share/doc/orrery/notes"
make -s uninstall DESTDIR="$dir/root" PREFIX=/usr >"$dir/out" 2>&1
[ "$(find "$dir/root" ! -type d | sed "s|^$root/||" | sort | tr '\n' ' ')" = "lib/libprobe.so.7 share/doc/orrery/notes " ] ||
    { find "$dir/root" ! -type d; fail "uninstall leaves its own, or takes what is not"; }

#!/bin/sh
# A test of the test: plants one breach of each kind that tests/layers.sh is
# to find, most of them in a made-up tree of three rooms, and looks for its
# words.  The last few are planted in a copy of Orrery itself.
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD build=${BUILD:-build} cc=${CC:-cc}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0

compile() { # FILE.c ...: in the tree that we are in
	for f in "$@"; do
		mkdir -p "build/${f%/*}"
		$cc -I. -O1 -w -c -o "build/${f%.c}.o" "$f" || { echo "cannot compile $f"; exit 1; }
	done
}
layers() { ROOT=$PWD BUILD=build TABLE=$PWD/rooms sh "$here/tests/layers.sh" "$@" >out 2>&1; }

# expect WHAT WORDS...: layers.sh has to fail and say each of them
expect() {
	what=$1
	shift
	if layers -b; then
		echo "$what: not found"; bad=1
	fi
	for w in "$@"; do
		grep -qF -- "$w" out || { echo "$what: does not say \"$w\", but:"; cat out; bad=1; }
	done
}
# begin: a fresh copy of the made-up tree, which obeys
begin() {
	rm -rf "$tmp/t"
	cp -r "$tmp/base" "$tmp/t"
	cd "$tmp/t" || exit 1
}

mkdir -p "$tmp/base/low" "$tmp/base/mid" "$tmp/base/top" "$tmp/base/tests"
cd "$tmp/base" || exit 1
cat >rooms <<'END'
group base | __stack_chk_fail _GLOBAL_OFFSET_TABLE_ |
group plain | strlen |
group files | open* close | fcntl.h
room low | - | plain
files low/sys.c | files
room mid | low | plain
room top | mid+ | plain
apart low/check* | top
outside tests
private low/low_inside.h | tests/low_test.c
END
echo 'int low(const char *);' >low/low.h
echo 'int low_step(void);' >low/low_inside.h
printf '#include "low/low.h"\n#include "low/low_inside.h"\n#include <string.h>\nint low(const char *s) { return strlen(s) + low_step(); }\n' >low/low.c
printf '#include <fcntl.h>\nint low_step(void) { return open("x", 0); }\n' >low/sys.c
echo 'int low_check(void) { return 1; }' >low/check.c
echo 'int low_check(void);' >low/check.h
printf '#include "low/low.h"\nint mid(const char *s) { return low(s); }\n' >mid/mid.c
echo 'int mid(const char *);' >mid/mid.h
printf '#include "low/low.h"\n#include "mid/mid.h"\nint top(const char *s) { return mid(s) + low(s); }\n' >top/top.c
echo 'int top(const char *);' >top/top.h
printf '#include "low/low_inside.h"\n' >tests/low_test.c
compile low/low.c low/sys.c low/check.c mid/mid.c top/top.c

begin
mkdir docs
echo 'It is in `low/low.h`, and in `low/gone.c`.' >docs/rooms.md
expect "a page" 'docs/rooms.md: names low/gone.c, which is not there'

begin
mkdir docs
printf '| low | x | - |\n| mid | x | - |\n' >docs/rooms.md
expect "a room that no page tells of" 'docs/rooms.md: says nothing of room top'

begin
{ echo 'struct big {'; seq 15 | sed 's/.*/\tint a&, (*b&)(int, int);/'; printf '\t/* ; */ int last;\n\tstruct {\n\t\tint x, y;\n\t} of[2];\n};\n'; } >>mid/mid.h
expect "a struct too wide" 'mid/mid.h: struct big has 32 members'
echo 'wide mid/mid.h:big' >>rooms
layers -b || { echo "a row \"wide\" is not heard:"; cat out; bad=1; }
echo 'wide mid/mid.h:small' >>rooms
expect "a row for no wide struct" 'row wide: mid/mid.h:small is not (any more)'

begin
{ echo '/*'; seq 4999; echo '*/'; } >>mid/mid.h
expect "a room too large" 'mid: a room of 5004 lines, and 5000 is the most'
{ echo '/*'; seq 4999; echo '*/'; } >mid/glyphs.h
sed -i 's/^int mid.*/&/; 2,$d' mid/mid.h
echo 'font mid/glyphs.h' >>rooms
layers -b || { echo "a row \"font\" is not heard:"; cat out; bad=1; }
echo 'font mid/gone.h' >>rooms
expect "a row for no font" 'row font: mid/gone.h is not there'

begin
layers -b || { echo "a tree that obeys does not pass:"; cat out; bad=1; }

begin
mkdir low/new
echo 'int n;' >low/new/new.c
expect "a folder without a row" 'low/new/new.c' 'folder low/new has no row' 'tests/layers/rooms'

begin
echo '#include "top/top.h"' >>mid/mid.c
expect "an include upwards" 'mid: may not use room top (mid/mid.c includes top/top.h)' 'or a hook'

begin
sed -i 's/mid+/mid/' rooms
expect "a room two floors down" 'top: may not use room low (top/top.c includes low/low.h)'

begin
echo 'int top(const char *); int m(void) { return top(""); }' >>mid/mid.c
compile mid/mid.c
expect "a symbol from above" 'mid: may not use room top (mid/mid.c needs top of top/top.c)' \
    'circle: mid -> top, as mid/mid.c needs top of top/top.c' \
    'circle: top -> mid, as top/top.c includes mid/mid.h'

begin
sed -i 's/^room low | -/room low | mid/' rooms
echo 'int mid(const char *); int l(void) { return mid(""); }' >>low/low.c
compile low/low.c
expect "a circle that the table allows" 'circle: low -> mid, as low/low.c needs mid of mid/mid.c' \
    'circle: mid -> low'

begin
echo '#include "low/low_inside.h"' >>mid/mid.c
expect "a private header" 'mid/mid.c: includes low/low_inside.h, which is private to room low'

begin
echo '#include "low/low_inside.h"' >low/wide.h
echo '#include "low/wide.h"' >low/wider.h
echo '#include "low/wider.h"' >>mid/mid.c
expect "a private header by a detour" \
    'mid/mid.c: includes low/low_inside.h through low/wider.h, which is private to room low'

begin
echo 'private mid/mid.h | -' >>rooms
expect "a header that a row makes private" 'top/top.c: includes mid/mid.h, which is private to room mid'

begin
echo '#include "low/low_inside.h"' >tests/other_test.c
expect "a private header in a test that is not listed" 'tests/other_test.c: includes low/low_inside.h'

begin
echo '#include <fcntl.h>' >>mid/mid.c
expect "a header of the system" 'mid/mid.c: includes <fcntl.h> of the group files, which room mid may not use'

begin
echo 'int open(const char *, int); int m(void) { return open("x", 0); }' >>low/low.c
compile low/low.c
expect "a symbol of the system" 'low/low.c: needs open of the group files, which room low may not use'

begin
echo 'int __open64_2(const char *, int); int m(void) { return __open64_2("x", 0); }' >>low/low.c
compile low/low.c
expect "the same in the library's disguise" 'low/low.c: needs open' 'group files'

begin
echo 'int getpid(void); int m(void) { return getpid(); }' >>top/top.c
compile top/top.c
expect "a symbol of no group" 'top/top.c: needs getpid, which is in no room and in no group'

begin
echo '#include "low/check.h"' >>top/top.c
expect "an include of what is kept apart" 'top/top.c: includes low/check.h: who checks must share no code'

begin
echo 'int low_check(void); int t(void) { return low_check(); }' >>top/top.c
compile top/top.c
expect "a symbol of what is kept apart" 'top/top.c: needs low_check() of low/check.c: who checks'

begin
echo '#include "tests/tool.h"' >>top/top.c
: >tests/tool.h
expect "an include of what is no room" 'top/top.c: includes tests/tool.h, which is in no room'

begin
printf 'room gone | - | plain\nfiles low/gone*.c | files\nprivate low/low_inside.h | mid\nprivate low/gone.h | -\nroom mid | lost | lost\nfoo\n' >>rooms
expect "rows for nothing" 'row of room gone: there is no such folder' 'row of files low/gone*.c: there are none' \
    'row of private low/low_inside.h: mid does not include it' 'row of private low/gone.h: there is no such header' 'names lost, which has no row' \
    'names the group lost' 'no such row: foo'

begin
rm build/low/low.o
expect "what is not built" '1 objects are not in build'
layers || { echo "sources alone do not pass:"; cat out; bad=1; }
grep -q 'symbols were not looked at' out || { echo "says nothing of symbols"; bad=1; }

# Orrery itself, with what its table forbids
cd "$here" || exit 1
[ -f "$build/monitord/order/causal/causal.o" ] || {
	echo "Orrery is not built in $build: only the small trees were looked at"
	exit $bad
}
mkdir -p "$tmp/o/build/tests"
folders="proto common libprobe collector monitord logical tools viewer"
for d in $folders; do
	cp -r "$d" "$tmp/o/"
	cp -rs "$PWD/$build/$d" "$tmp/o/build/"
done
sed '/^private/d; /tests\/outside/d' tests/layers/rooms >"$tmp/o/rooms"
cd "$tmp/o" || exit 1
plant() { # FILE LINE
	[ -f "$1" ] || { echo "no $1 to plant in"; bad=1; }
	echo "$2" >>"$1"
}
echo 'int open(const char *, int); int planted(void) { return open("x", 0); }' >planted.c
$cc -w -c -o planted.o planted.c
ld -r -o joined.o "$here/$build/monitord/order/causal/causal.o" planted.o
rm build/monitord/order/causal/causal.o
mv joined.o build/monitord/order/causal/causal.o
plant monitord/order/reorder.c '#include <event2/event.h>'
plant monitord/order/sort.c '#include "check/validate.h"'
plant collector/sweep/drain.c '#include <sys/socket.h>'
plant common/peer.c '#include "monitord/node.h"'
plant viewer/layout/scene.c '#include "model/inside.h"'
plant viewer/layout/palette.c '#include <X11/Xlib.h>'
plant viewer/raster/canvas.c '#include "model/model.h"'
expect "in Orrery" 'monitord/order/causal/causal.c: needs open of the group files' \
    'monitord/order/reorder.c: includes <event2/event.h>' \
    'monitord/order/sort.c: includes proto/check/validate.h: who checks' \
    'collector/sweep/drain.c: includes <sys/socket.h>' \
    'common: may not use room monitord (common/peer.c includes monitord/node.h)' \
    'viewer/layout/scene.c: includes viewer/model/inside.h, which is private' \
    'viewer/layout/palette.c: includes <X11/Xlib.h>' \
    'viewer/raster: may not use room viewer/model'
exit $bad

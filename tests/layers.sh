#!/bin/sh
# Checks who may use whom: the one structural rule that is enforced
# (ARCHITECTURE.md, "Layers").  tests/layers/rooms is the table.
#
#   tests/layers.sh [-b]     -b: everything has to be built
#
# Sources are looked at always, symbols when all objects are in $BUILD.  Files
# that ARCHITECTURE.md and the pages about rooms name have to be there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "${ROOT:-$here/..}" || exit 1
BUILD=${BUILD:-build}
table=${TABLE:-$here/layers/rooms}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

find . \( -path ./build -o -path './.*' \) -prune -o \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.hpp' \) -print | LC_ALL=C sort >"$tmp/names"
xargs grep -HE '^#[ 	]*include' <"$tmp/names" >"$tmp/includes"

# objects of the rooms, in the order of their sources; those of libprobe/mpi are
# made for each MPI that is here, and not here
sed -n 's/^room \([^ ]*\) .*/\1/p' "$table" | grep -v -e '^tests/' -e '^libprobe/mpi$' |
    awk -v build="$BUILD" 'NR == FNR { room[$1] = 1; next }
	{ f = substr($0, 3); d = f; sub(/\/[^\/]*$/, "", d) }
	d in room && f ~ /\.c$/ { sub(/\.c$/, ".o", f); print build "/" f }' - "$tmp/names" >"$tmp/objects"
: >"$tmp/symbols"
missing=$(xargs ls <"$tmp/objects" 2>&1 >/dev/null | grep -c .)
if [ "$missing" = 0 ]; then
	xargs nm -A -P <"$tmp/objects" >"$tmp/symbols" 2>/dev/null
elif [ "${1:-}" = -b ]; then
	echo "$missing objects are not in $BUILD: make all"
	exit 1
else
	echo "layers: $missing objects are not in $BUILD, so symbols were not looked at"
fi
bad=0
# the pages that say where things are name files that are there
for page in ARCHITECTURE.md docs/rooms.md docs/path.md; do
	[ ! -f "$page" ] || grep -oE '`[A-Za-z0-9_./-]+\.(c|h|hpp|def)`' "$page" | tr -d '`' | sort -u |
	    awk -v page="$page" 'NR == FNR { for (f = $0; f != ""; ) { there[f]; if (!sub(/^[^\/]*\//, "", f)) break } next }
		!($0 in there) { print page ": names " $0 ", which is not there"; bad = 1 } END { exit bad }' "$tmp/names" - || bad=1
done
awk -v build="$BUILD" -f "$here/layers/check.awk" kind=table "$table" kind=names "$tmp/names" \
    kind=includes "$tmp/includes" kind=symbols "$tmp/symbols" || bad=1
exit $bad

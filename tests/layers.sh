#!/bin/sh
# Checks who may use whom: the one structural rule that is enforced
# (ARCHITECTURE.md, "Layers").  tests/layers/rooms is the table.
#
#   tests/layers.sh [-b]     -b: everything has to be built
#
# Sources are looked at always, symbols when all objects are in $BUILD.  Files
# that ARCHITECTURE.md and the pages beside it name have to be there, and these
# say of each room what it is for.  A struct has 30 members at most, a room
# 5,000 lines.
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
for page in ARCHITECTURE.md HACKING.md $(ls docs/*.md 2>/dev/null | grep -v -e /proof.md -e /figures.md); do
	[ ! -f "$page" ] || grep -oE '`[A-Za-z0-9_./-]+\.(c|h|hpp|def)`' "$page" | tr -d '`' | grep -vE 'NAME|FOLDER|FILE' | sort -u |
	    awk -v page="$page" 'NR == FNR { for (f = $0; f != ""; ) { there[f]; if (!sub(/^[^\/]*\//, "", f)) break } next }
		!($0 in there) { print page ": names " $0 ", which is not there"; bad = 1 } END { exit bad }' "$tmp/names" - || bad=1
done
# and of each room what it is for
if [ -f docs/rooms.md ]; then
	sed -n 's/^room \([^ ]*\) .*/\1/p' "$table" | grep -v '^tests/' | while read -r room; do
		case $room in
		viewer/*) # "| layout: time, radial, chart |", "| ui/panes, panes/tree, bars |"
			awk -F '|' -v room="${room#viewer/}" '$2 ~ /[a-z]/ {
				gsub(/^ +| +$/, "", $2)
				n = split($2, w, /[:,] */)
				for (i = 1; i <= n; i++) {
					at = w[1]
					if (i > 1) { if ($2 !~ /:/) sub(/\/[^\/]*$/, "", at); at = at "/" w[i] }
					if (at == room) found = 1
				}
			} END { exit !found }' ARCHITECTURE.md || echo "ARCHITECTURE.md: says nothing of room $room" ;;
		*) grep -q "^| $room |" docs/rooms.md || echo "docs/rooms.md: says nothing of room $room" ;;
		esac
	done >"$tmp/unsaid"
	[ ! -s "$tmp/unsaid" ] || { cat "$tmp/unsaid"; bad=1; }
fi
# structs that one can keep in mind; rows "wide" name those that are not
outside=$(sed -n 's/^outside //p' "$table" | tr ' ' '|')
sed -n 's/^wide //p' "$table" | tr ' ' '\n' >"$tmp/wide"
grep '\.[ch]$' "$tmp/names" | grep -vE "^\./($outside)/" | xargs awk -v most=30 -f "$here/layers/structs.awk" | sed 's,^\./,,' |
    awk -v rows="$tmp/wide" 'FILENAME == rows { wide[$1]; next }
	$1 in wide { used[$1]; next }
	{ split($1, f, ":"); printf "%s: struct %s has %d members: make parts of it\n", f[1], f[2], $2; bad = 1 }
	END { for (w in wide) if (!(w in used)) { print "tests/layers/rooms: row wide: " w " is not (any more); take it out"; bad = 1 } exit bad }' \
	"$tmp/wide" - || bad=1
# rooms that one can read in a day; rows "font" name files that nobody reads
sed -n 's/^font //p' "$table" | tr ' ' '\n' >"$tmp/fonts"
sed -n 's/^room \([^ ]*\) .*/\1/p' "$table" | grep -v '^tests/' >"$tmp/rooms"
sed 's,^\./,,' "$tmp/names" | awk -v most=5000 -v fonts="$tmp/fonts" -v rooms="$tmp/rooms" '
	BEGIN {
		while ((getline f <fonts) > 0) font[f]
		while ((getline r <rooms) > 0) room[r]
	}
	{ d = $0; sub(/\/[^\/]*$/, "", d) }
	$0 in font { delete font[$0]; next }
	d in room { while ((getline line <$0) > 0) lines[d]++; close($0) }
	END {
		for (d in lines) if (lines[d] > most) { printf "%s: a room of %d lines, and %d is the most: make two of it\n", d, lines[d], most; bad = 1 }
		for (f in font) { print "tests/layers/rooms: row font: " f " is not there; take it out"; bad = 1 }
		exit bad
	}' || bad=1
awk -v build="$BUILD" -f "$here/layers/check.awk" kind=table "$table" kind=names "$tmp/names" \
    kind=includes "$tmp/includes" kind=symbols "$tmp/symbols" || bad=1
exit $bad

#!/bin/sh
# Checks who includes whom: the one structural rule that is enforced
# (ARCHITECTURE.md, "Layers").  A header is named as it is in the source.
set -u
cd "$(dirname "$0")/.."
bad=0

# where a quoted include lives, seen from a file in folder $1; a room within
# viewer/model counts as that
home() {
	for d in "$1" proto common libprobe viewer .; do
		if [ -f "$d/$2" ]; then
			dirname "$d/$2" | sed 's|^\./||; s|^\(viewer/[a-z]*\)/.*|\1|'
			return
		fi
	done
	echo missing
}

# check FOLDER 'ours...' 'system patterns that are forbidden'
check() {
	folder=$1 ours=" $1 $2 " forbidden=$3
	for f in $(find "$folder" -name '*.[ch]' 2>/dev/null); do
		for i in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$f"); do
			case $i in *.def) continue ;; esac
			h=$(home "${f%/*}" "$i")
			case "$ours" in
			*" $h "*) ;;
			*) echo "$f includes $i of $h"; bad=1 ;;
			esac
		done
		[ -z "$forbidden" ] && continue
		if grep -nE "^#include <($forbidden)" "$f"; then
			echo "$f includes what its layer may not"; bad=1
		fi
	done
}

x='X11/|png'
check proto '' "event2|uuid|cyaml|$x"
check common 'proto' "cyaml|zstd|$x"
check libprobe 'proto' "event2|uuid|zstd|zlib|cyaml|$x"
check collector 'proto common' "cyaml|$x"
check monitord 'proto common' "$x"
check logical 'proto' "event2|uuid|cyaml|zstd|zlib|$x"
check tools 'proto common logical' "cyaml|$x"
check viewer/model 'proto' "event2|uuid|cyaml|$x"
check viewer/layout 'viewer/layout viewer/layout/chart viewer/model proto' "event2|uuid|cyaml|$x"
check viewer/raster '' "event2|uuid|cyaml|$x"
check viewer/ui 'viewer/model viewer/layout viewer/raster logical proto common' cyaml

# only one file knows Xlib
for f in $(grep -lE '^#include <X11/' viewer/ui/*.[ch] 2>/dev/null); do
	case $f in
	viewer/ui/window.[ch]|viewer/ui/window_*.[ch]) ;;
	*) echo "$f knows Xlib; only viewer/ui/window*.c may"; bad=1 ;;
	esac
done
# whoever checks the order shares nothing with whoever makes it
if grep -nE '^#include "(validate|causes_seen)' monitord/*.[ch] collector/*.[ch]; then
	echo "the checker must share no code with the daemons"; bad=1
fi
# and whoever looks from outside shares nothing with anybody
check tests/outside '' "event2|uuid|cyaml|zstd|zlib|$x"
# the daemons see the world through struct env
for f in $(grep -lE '^#include <(event2/|sys/socket)' monitord/*.c collector/*.c 2>/dev/null); do
	case $f in
	*/main.c|*/collector.c|*/monitord.c|*/attach*.c|*/keeper*.c|*/launch*.c|*/process*.c|*/client.c|*/door.c|*/pass.c) ;;
	*) echo "$f goes behind the back of struct env"; bad=1 ;;
	esac
done
exit $bad

#!/bin/sh
# The same pixels from every compiler and optimisation: pictures of one log,
# by this viewer, by those of the other builds that are there, and by one of
# gcc that is built here without optimisation, unless make check has made one of
# clang.  (That a window's pixels are those of a
# picture, by every way to the server, is smoke.sh, remote.sh and faults.sh.)
#
#	LONG=1: gcc and clang, -O0 to -O3, all built here; five minutes or so
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-pixels.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ORRERY_DIR=$dir
fail() { echo "FAIL: $*"; exit 1; }
variants=
[ -x build/clang/viewer/viewer ] || variants=gcc:0
[ -z "${LONG:-}" ] || variants="gcc:0 gcc:1 gcc:2 gcc:3 clang:0 clang:1 clang:3"

"$BUILD/tests/bench/makelog" -d -n 20000 "$dir/run.orr" >/dev/null ||
    fail "makelog"
cat >"$dir/script" <<END
wait read
wait frame
snapshot all.png
theme light
lanes state
snapshot light.png
range 4.1ms:7.3ms
colour time
select-task 1418
move 1100 350
snapshot near.png
form sunburst
zoom-in
help
snapshot help.png
help
form icicle
colour PE-time
snapshot icicle.png process-time
snapshot radial.png radial 640x480
describe
END

# pictures NAME VIEWER: all of them, into a folder
pictures() {
	mkdir -p "$dir/$1"
	(cd "$dir/$1" && "$2" --headless --config "" --size 1200x800 \
	    --script "$dir/script" "$dir/run.orr" >described 2>err) ||
		fail "$1: $(cat "$dir/$1/err")"
	"$2" --scale 1.25 --size 900x700 --snapshot "$dir/$1/finer.png" \
	    "$dir/run.orr" || fail "$1: no finer picture"
}
# same NAME VIEWER
same() {
	pictures "$1" "$2"
	for f in "$dir"/here/*; do
		cmp -s "$f" "$dir/$1/$(basename "$f")" ||
		    fail "$1: another $(basename "$f")"
	done
	echo "$1: the same"
}
pictures here "$BUILD/viewer/viewer"
for other in build build/clang build/san; do
	[ ! -x $other/viewer/viewer ] || same "$other" "$PWD/$other/viewer/viewer"
done
for v in $variants; do
	cc=${v%:*} o=-O${v#*:}
	command -v "$cc" >/dev/null || continue
	make -s -j2 B="$dir/b" CC="$cc" O="${v#*:}" CFLAGS_viewer="$o" \
	    CFLAGS_proto="$o" "$dir/b/viewer/viewer" || fail "$cc $o: no viewer"
	same "$cc $o" "$dir/b/viewer/viewer"
	rm -rf "$dir/b"
done
echo "$(ls "$dir/here" | wc -l) files each, 0 differ"

#!/bin/sh
# What is built is hardened, and does not know where it was built.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v readelf >/dev/null || skip "no readelf"

for p in collector/collector monitord/monitord tools/monitorctl viewer/viewer libprobe.so; do
	readelf -hld "$BUILD/$p" >"$dir/elf" 2>&1
	says "$dir/elf" 'Type: *DYN'
	says "$dir/elf" 'GNU_RELRO'
	says "$dir/elf" 'BIND_NOW|FLAGS_1.*NOW'
	case $BUILD in */san | */tsan) continue ;; esac
	readelf -sW "$BUILD/$p" >"$dir/symbols"
	says "$dir/symbols" '__stack_chk_fail'
	says "$dir/symbols" '__[a-z]*_chk(@|$| )'
done
case $BUILD in */san | */tsan) exit 0 ;; esac

# two directories whose names differ in length: the same objects, a library
# and a program; all of it is built twice in make proof (REPRODUCE=all)
what="B=build build/docs/protodoc build/collector/shell/self/rescue.o build/monitord/finish.o build/viewer/raster/canvas.o"
[ "${REPRODUCE:-}" != all ] || what="B=build all"
for d in a b/with/a/longer/name; do
	mkdir -p "$dir/$d"
	git ls-files -z 2>/dev/null | grep -zvE '^tests/(golden|fuzz/seeds)' | xargs -0 cp --parents -t "$dir/$d" ||
	    skip "not in a repository"
	make -s -C "$dir/$d" $what >"$dir/make.out" 2>&1 || { tail "$dir/make.out"; fail "make in $d"; }
	(cd "$dir/$d/build" && find . -type f ! -name '*.d' -exec sha256sum {} + | sort -k 2) >"$dir/sums.$(basename "$d")"
done
diff "$dir/sums.a" "$dir/sums.name" >"$dir/diff" || { cat "$dir/diff"; fail "the programs of two directories differ"; }
echo "$(wc -l <"$dir/sums.a") files, the same from two directories"

#!/bin/sh
# What monitorctl export writes is what the log says, in the eyes of other
# readers (tests/tools/exports.py); what cannot be written is refused in a
# sentence, and leaves nothing behind.  A run with everything in it is
# exported by oracle.sh.
. tests/lib.sh

makelog=$BUILD/tests/bench/makelog
for p in "$monitorctl" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
for p in python3 sqlite3 babeltrace2 otf2-print pj_dump; do
	command -v $p >/dev/null || skip "no $p"
done
"$makelog" "$dir/made.orr" >/dev/null || fail "makelog"
mkdir "$dir/x"
python3 -B "$tests/tools/exports.py" "$monitorctl" "$dir/made.orr" "$dir/x" ||
    fail "exports that are not true"

ends_saying 64 'which format' "$monitorctl" export "$dir/made.orr"
ends_saying 64 'which format' "$monitorctl" export -o "$dir/x.xyz" "$dir/made.orr"
ends_saying 64 'no format xyz' "$monitorctl" export --format xyz "$dir/made.orr"
ends_saying 64 'is not a number' "$monitorctl" export --from x -o "$dir/x.csv" "$dir/made.orr"
ends_saying 64 'no kind of event' "$monitorctl" export --kind x -o "$dir/x.csv" "$dir/made.orr"
for f in chrome folded speedscope sqlite paje otf2; do
	ends_saying 64 "--kind: $f is made of spans.*csv" \
	    "$monitorctl" export --format $f --kind send "$dir/made.orr"
done
for c in dump export; do
	for o in from to po thread; do
		ends_saying 64 "^monitorctl: $c: --$o: x is not a number; see monitorctl $c --help" \
		    "$monitorctl" $c --$o x "$dir/made.orr"
	done
done
ends_saying 69 'no such node' "$monitorctl" export --node x -o "$dir/x.csv" "$dir/made.orr"
ends_saying 73 'is there already' "$monitorctl" export -o "$dir/x/x.csv" "$dir/made.orr"
ends_with 73 "$monitorctl" export -o "$dir/no/such/x.csv" "$dir/made.orr"
ends_with 65 "$monitorctl" export -o "$dir/x.csv" "$tests/lib.sh"
ends_with 66 "$monitorctl" export -o "$dir/x.csv" "$dir/none.orr"
ends_saying 0 '^  chrome +\.json' "$monitorctl" export --help
for f in chrome csv folded speedscope paje; do
	"$monitorctl" export --format $f "$dir/made.orr" >/dev/full 2>"$dir/out"
	[ $? -eq 74 ] || fail "$f into a full disk ended otherwise"
done
for f in sqlite ctf otf2; do
	ends_saying 64 "$f is no stream; say -o OUT" \
	    "$monitorctl" export --format $f "$dir/made.orr"
	ends_saying 73 'is there already' "$monitorctl" export -o "$dir/x/x.$f" "$dir/made.orr"
	ends_with 73 "$monitorctl" export -o "$dir/no/such/x.$f" "$dir/made.orr"
	# a limit on files stands for a full disk
	(ulimit -f 1; trap '' XFSZ
	# what the library of OTF2 then forgets to free is its own
	export LSAN_OPTIONS=detect_leaks=$([ $f = otf2 ] && echo 0 || echo 1)
	ends_with 74 "$monitorctl" export -o "$dir/full.$f" "$dir/made.orr") || fail "$f, full"
	[ ! -e "$dir/full.$f" ] || fail "$f: half of it has the name"
done
[ -z "$(find "$dir" -name '*.new')" ] || fail "a part is left"
# one of the processes, and only their names
"$monitorctl" export --format chrome --node n0 --po 3 "$dir/made.orr" >"$dir/one.json" ||
    fail "one process"
[ "$(grep -c '"name":"process_name"' "$dir/one.json")" = 2 ] || fail "names of others"

#!/bin/sh
# What is written down about a run is there when it is seen again, live or not;
# never on another run; what is wrong in the file is told of by its line.
. tests/lib.sh

viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
for p in "$viewer" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
"$makelog" a.orr >/dev/null || fail "makelog"
notes() { # LOG: as they are told
	"$viewer" --describe --view notes "$1" 2>said | sed -n '/^notes: /,$p' | sed '/^legend of /,$d'
}
script() { # LOG, and the script
	"$viewer" --headless --config '' --script - "$1" >out 2>said ||
	    { cat said; fail "the script ends with $?"; }
}

script a.orr <<'END'
wait read
annotate 5ms:9ms the slow part
annotate 12ms   it gets better
select-row 3
annotate-row . 10ms:14ms never any work
select-range 1ms:2ms
annotate-row 5 . at first
annotate 12ms another text
refused annotate
refused annotate 5ms
refused annotate 9ms:5ms x
refused annotate-row 99999 5ms x
refused remove-annotation 5
remove-annotation 2
goto-annotation 2
describe
quit
END
cat >want <<'END'
notes: 3
  1: from 1000000 ns, 1000000 ns, row 5 (PE 0): at first
  2: from 10000000 ns, 4000000 ns, row 3 (node n3): never any work
  3: from 12000000 ns, 0 ns, all rows: another text
END
[ "$(grep -cE 'annotate.* wants|no such (row|note)' out)" = 5 ] || { cat out; fail "refusals"; }
sed -n '/^notes: /,/^[^ n]/p' out | grep -E '^(notes|  )' | cmp - want ||
    fail "in the window: $(cat out)"
notes a.orr | cmp - want || fail "when it is opened again"
[ ! -s said ] || fail "it had something to say: $(cat said)"

# a copy of the log has them if they are taken along; another run never
cp a.orr b.orr
cp a.orr.notes b.orr.notes
notes b.orr | cmp - want || fail "the copy"
sed -i 's/^run ......../run 99999999/' b.orr.notes
[ "$(notes b.orr)" = "notes: 0" ] || fail "of another run"
says said 'b.orr.notes:2: these notes are of another run'

# wrong lines
printf 'nonsense\nnote 1s row x y\n' >>a.orr.notes
notes a.orr | cmp - want || fail "with wrong lines"
says said 'a.orr.notes:6: .*note TIME.*and 1 more'
for bad in /dev/zero /dev/full; do
	head -c 3000 "$bad" >b.orr.notes
	[ "$(notes b.orr)" = "notes: 0" ] || fail "$bad as notes"
done
says said 'b.orr.notes:1: '

# live, and afterwards
cluster 1 >c.yaml
start_monitord c.yaml
wait_for 10 "the node" nodes_ready 1
"$load" --threads 1 --events 1000 >out || fail "load"
echo 'wait connected
annotate 0.5s this is live
wait frame 2
quit' | "$viewer" --headless --config '' --script - >out 2>said || fail "live: $(cat said)"
[ -s run.orr.notes ] || fail "none beside the log of a live run"
"$monitorctl" shutdown >/dev/null || fail "shutdown"
wait "$monitord_pid"
monitord_pid=
[ "$(notes run.orr | tail -n 1)" = "  1: from 500000000 ns, 0 ns, all rows: this is live" ] &&
    [ "$(sed -n 3p run.orr.notes)" = "note 0.500000000s all this is live" ] || fail "afterwards: $(notes run.orr)"
echo "notes"

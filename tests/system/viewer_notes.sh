#!/bin/sh
# What is written down about a run is there when it is seen again, live or not;
# never on another run; what is wrong in the file is told of by its line.  The
# same of rows that are put together, and of other names.
. tests/lib.sh

viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
for p in "$viewer" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
"$makelog" a.orr >/dev/null || fail "makelog"
notes() { # LOG: as they are told
	"$viewer" --describe --view notes "$1" 2>said | sed -n '/^notes: /,$p' | sed '/^guide: /,$d;/^legend of /,$d'
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

# rows in groups, and other names; a group ran as long as its members together
cp a.orr g.orr
long=0123456789012345678901234567890123456789012345678901234567890123
cat >hand <<END
wait read
group 6,7:8 first  three
filter PE 4
group shown more
filter
rename 6 captain
rename-function "sort" sorting
rename 0 here
refused group 3
refused group 6 12
refused group 99999 x
refused group x y
refused group . x
refused group 6 $long
refused rename 6 $long
refused rename-function "no such" x
refused rename more first  three
refused ungroup 3
tab details
select-row first  three
describe
select-row 6
describe
select-row 7
describe
select-row 8
describe
fold first  three
describe
rename 0
rename-function "sorting"
ungroup more
rename "first  three" them
END
script g.orr <hand
cat >want.hand <<'END'
  group "first  three": 3 rows, open: 6 (captain), 7 (PE 2), 8 (PE 3)
  group "more": 1 rows, open: 9 (PE 4)
  row 0 is called "here", recorded as "node n0"
  row 6 is called "captain", recorded as "PE 1"
END
sed -n '/^details of/q; /^  \(group\|row\) /p' out | cmp - want.hand ||
    fail "groups and names: $(grep -E '^  (group|row) ' out)"
[ "$(grep -c 'is called "sorting", recorded as "sort"$' out)" -ge 1 ] &&
    grep -q '^  sorting: 80 calls' out && ! grep -q '^  sort: ' out || fail "a function"
grep -q '^recorded as	PE 1' out || fail "what it was recorded as"
[ "$(grep -c '^  group "first  three": 3 rows, folded' out)" = 1 ] || fail "folded"
"$monitorctl" dump --raw g.orr >/dev/null || fail "dump"
grep -E '^(name|group)' g.orr.notes | sort >got.hand
printf 'group 6:8 them\nname row 6 captain\n' | cmp - got.hand || fail "in the file: $(cat g.orr.notes)"
"$viewer" --describe g.orr 2>said | grep -E '^  (group|row 6)' >got.hand
cat >want.hand <<'END'
  group "them": 3 rows, open: 6 (captain), 7 (PE 2), 8 (PE 3)
  row 6 is called "captain", recorded as "PE 1"
END
cmp got.hand want.hand || fail "when it is opened again"

# wrong lines
printf 'group 1;2 x\nname row 6 \377\ngroup 3 good\ngroup 4294967295 x\n' >>g.orr.notes
"$viewer" --describe g.orr 2>said | grep -q '^  group "good": 1 rows, open: 3 (node n3)' ||
    fail "beside wrong lines"
says said 'g.orr.notes:[0-9]*: group wants rows and a name.*and 2 more'
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

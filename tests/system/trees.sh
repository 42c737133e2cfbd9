#!/bin/sh
# The two task programs, watched: the picture of each has the numbers that are
# known, at 850 pixels with rings 4 apart or more; and that of both in one run
# has all trees, and those of a single task by name.
. tests/lib.sh

for p in "$monitord" "$BUILD/collector/collector" "$monitorctl" "$BUILD/viewer/viewer"; do
	[ -x "$p" ] || skip "no $p"
done

# watch PROGRAM...: its picture in words into $dir/view
watch() {
	rm -f "$dir/run.orr"
	start_monitord
	wait_for 20 "a collector" nodes_ready 1
	"$monitorctl" run "$@" >"$dir/out" 2>&1 || { cat "$dir/out"; fail "$*"; }
	finish
	"$BUILD/viewer/viewer" --describe --view radial --size 850x922 \
	    "$dir/run.orr" >"$dir/view" || fail "viewer --describe"
}
# tree COMMAND: the same after a command
tree() {
	printf 'wait read\ntree-of tasks\n%s\ndescribe\nquit\n' "$1" >"$dir/script"
	"$BUILD/viewer/viewer" --headless --config "" --view radial \
	    --size 850x922 --script "$dir/script" "$dir/run.orr" >"$dir/view" ||
	    fail "viewer: $1"
}
# says PATTERN: a line of the view matches
says() {
	grep -Eq -- "$1" "$dir/view" || { cat "$dir/view"; fail "lacks: $1"; }
}

watch "$BUILD/examples/semigroup" --pace 0
says '^  tasks: 15419, trees in the log: 1$'
says '^  levels: 174, rings: 106, LC: 38\(1\) 136\(2\)$'
says '^  ring distance: 4\.01 px in 850x850 px$'
says '^  tasks by procedure: mult6 6642 m 6480 .* g 216 .*prefilter 165 mult3 162 .*gen 54'
says '^  spokes: [0-9]+, of 82 tasks on 42 levels: 162$'
says '^  nodes: [0-9]+ drawn, [0-9]+ pruned, [0-9]+ condensed$'
# what is not drawn is counted, to the last one
awk '/^  nodes:/ { exit $2 + $4 + $6 == 15419 ? 0 : 1 }' "$dir/view" ||
    fail "drawn, pruned and condensed are not all"

watch "$BUILD/examples/pascal" 35 --pes 5 --pace 0
says '^  tasks: 2235, trees in the log: 1$'
says '^  levels: 57, rings: 57, LC: 57\(1\)$'
says '^  nodes: [0-9]+ drawn, [0-9]+ pruned, 0 condensed$'

watch sh -c "$BUILD/examples/pascal 6 --pace 0; $BUILD/examples/semigroup --pace 0"
says '^  tasks: 15503, trees in the log: 2$'
says '^  trees of a single task: 0$'
awk '/^  nodes:/ { exit $2 + $4 + $6 == 15503 ? 0 : 1 }' "$dir/view" ||
    fail "drawn, pruned and condensed are not all"
tree "tree 1"
says '^  shown: tree 1 of 2$'
says '^  tasks: 84, trees in the log: 2$'
tree "tree previous"
says '^  shown: tree 2 of 2$'
says '^  tasks: 15419, trees in the log: 2$'

watch "$load" --threads 1 --events 20000
tree "tree-of tasks"
says '^  tasks: ([0-9]+), trees in the log: \1$'
says '^  trees of a single task: ([0-9]+), by name: [a-z ]+ \1$'
says '^  summed by name: [0-9]+ tasks in 1 nodes$'
echo "semigroup and pascal have their numbers"

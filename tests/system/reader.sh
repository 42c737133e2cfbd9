#!/bin/sh
# A reader that was written from orrery-log(5) alone (tests/reader) finds in a
# log what dump does: in one that grows, one whose monitord was killed, one that
# was finished; in each when it is cut or has a byte changed; in those that were
# made to do harm; and in some with all that the format allows, which no program
# makes.  It tells when something differs.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"

cluster 2 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the nodes" nodes_ready 2
ORRERY_NODE=n1 "$load" --wait --threads 2 --rate 20000 --events 4000 >/dev/null &
one=$!
ORRERY_NODE=n2 "$load" --wait --threads 3 --rate 20000 --events 4000 >/dev/null || fail "load"
wait $one || fail "load"
wait_for 10 "events in the log" stored 4000
cp "$dir/run.orr" "$dir/grows.orr"
kill -KILL "$monitord_pid"
wait "$monitord_pid" 2>/dev/null
cp "$dir/run.orr" "$dir/killed.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "the nodes" nodes_ready 2
finish

# in a finished log and in one that is not: a byte changed, a piece gone
for log in run killed; do
	size=$(stat -c %s "$dir/$log.orr") i=1
	while [ $i -le 6 ]; do
		at=$((size * i / 7))
		head -c $at "$dir/$log.orr" >"$dir/$log.cut$i"
		cp "$dir/$log.orr" "$dir/$log.bent$i"
		old=$(od -An -tu1 -j $at -N 1 "$dir/$log.orr" | tr -d ' ')
		printf "\\$(printf %o $((old ^ 85)))" |
		    dd of="$dir/$log.bent$i" bs=1 seek=$at conv=notrunc 2>/dev/null
		i=$((i + 1))
	done
	for at in 3 $((size - 3)); do # its head, and its end
		cp "$dir/$log.orr" "$dir/$log.end$at"
		printf '\200' | dd of="$dir/$log.end$at" bs=1 seek=$at conv=notrunc 2>/dev/null
	done
done
: >"$dir/empty"
echo "no log" >"$dir/none"

for seed in 1 3 5; do
	"$BUILD/tests/tools/wildlog" $seed 12 >"$dir/wild$seed" || fail "wildlog"
done

same() {
	python3 -B tests/reader/readlog --against "$monitorctl dump --raw" "$@" \
	    >"$dir/out" 2>&1
}
same "$dir"/grows.orr "$dir"/killed.orr "$dir"/run.orr "$dir"/*.cut* \
    "$dir"/*.bent* "$dir"/*.end* "$dir"/wild* "$dir/empty" "$dir/none" tests/golden/log-* \
    tests/fuzz/seeds/tracefile/* tests/fuzz/seeds/viewer/* ||
    { cat "$dir/out"; fail "the reader and dump differ"; }
grep -E '/(grows|killed|run)\.orr: ' "$dir/out"
says "$dir/out" '/run\.orr: [0-9]{4,} events equal, 0 damaged'
says "$dir/out" '/wild5: [0-9]{4,} events equal, 0 damaged'
says "$dir/out" '/run\.bent3: [0-9]{3,} events equal, [0-9]{2,} damaged'

# the example of the page, by the bytes that the page has
python3 -B tests/reader/explain --bytes orrery-log.5 >"$dir/page.orr" || fail "the page has no example"
"$BUILD/docs/examplelog" | cmp - "$dir/page.orr" || fail "the bytes on the page are not those of the programs"
ends_saying 0 '^violations 0, ' "$monitorctl" check "$dir/page.orr"
same "$dir/page.orr" || { cat "$dir/out"; fail "the reader and dump differ"; }
"$monitorctl" dump --raw "$dir/page.orr" | tr '\t' ' ' | while read -r line; do
	grep -qxF "$line" docs/orrery-log.5 || fail "the page lacks: $line"
done || exit 1

# and tells of less than that
cat >"$dir/less" <<EOF
#!/bin/sh
"$monitorctl" dump --raw "\$1" | sed "\$LESS"
EOF
chmod +x "$dir/less"
for LESS in 1d '900d' '$d' '900s/[0-9]$/x/' '900s/\t/\t1/3'; do
	export LESS
	python3 -B tests/reader/readlog --against "$dir/less" "$dir/run.orr" >"$dir/out" &&
	    { cat "$dir/out"; fail "does not see what sed $LESS has done"; }
	says "$dir/out" 'event (heading|[0-9]+) differs'
done
echo "reader: ok"

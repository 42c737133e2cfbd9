#!/bin/sh
# What monitorctl import makes of traces of others is what is in them
# (tests/tools/traces.py makes them and looks), without a violation; what is
# wrong with one is told by its line, and leaves nothing behind.
. tests/lib.sh

[ -x "$monitorctl" ] || skip "no $monitorctl"
command -v python3 >/dev/null || skip "no python3"
mkdir "$dir/x"
python3 -B "$tests/tools/traces.py" "$monitorctl" "$dir/x" || fail "imports that are not true"

printf '4 0 1 0 1 0 64\n6 0 9 1 0 0 64\n' >"$dir/t"
ends_saying 64 'where to.*-o LOG' "$monitorctl" import "$dir/t"
ends_saying 64 '^usage' "$monitorctl" import -o "$dir/l.orr"
ends_saying 64 'no format x' "$monitorctl" import --format x -o "$dir/l.orr" "$dir/t"
ends_saying 64 '--unit: h is none of' "$monitorctl" import --unit h -o "$dir/l.orr" "$dir/t"
ends_saying 64 'units of its own' "$monitorctl" import --unit ms -o "$dir/l.orr" "$dir/t"
ends_saying 66 '--records .*none' "$monitorctl" import --records "$dir/none" -o "$dir/l.orr" "$dir/t"
ends_with 66 "$monitorctl" import -o "$dir/l.orr" "$dir/none"
ends_with 66 "$monitorctl" import -o "$dir/l.orr" "$dir"
ends_saying 0 '^  vista ' "$monitorctl" import --help
ends_with 73 "$monitorctl" import -o "$dir/no/l.orr" "$dir/t"
[ -z "$(find "$dir" -name '*.new' -o -name 'l.orr')" ] || fail "a part is left"
ends_saying 0 '2 records, 2 events of 2 places' "$monitorctl" import -o "$dir/l.orr" "$dir/t"
ends_saying 73 'is there already' "$monitorctl" import -o "$dir/l.orr" "$dir/t"
# it is a log as any other: the viewer reads it, and others export it
"$BUILD/viewer/viewer" --describe "$dir/l.orr" >"$dir/out" || fail "the viewer"
says "$dir/out" 'n1'
ends_with 0 "$monitorctl" export -o "$dir/l.csv" "$dir/l.orr"

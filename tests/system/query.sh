#!/bin/sh
# monitorctl query: wrong ones are told, endless ones stop, none does anything
# but read; what the manual asks is answered.  That the answers are true is
# looked at by tests/tools/exports.py.
. tests/lib.sh

makelog=$BUILD/tests/bench/makelog
for p in "$monitorctl" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
log=$dir/made.orr
"$makelog" "$log" >/dev/null || fail "makelog"
q() { "$monitorctl" query "$@"; }

[ "$(q --csv "$log" "SELECT kind, count(*) FROM events WHERE kind = 'send' GROUP BY 1")" = 'kind,count(*)
"send",280' ] || fail "csv"
[ "$(q --json "$log" "SELECT 1 AS a, 'x\"y' AS b, NULL AS c, 0.5 AS d, 9e999 AS e" | tr -d '\n ')" = \
    '[{"a":1,"b":"x\"y","c":null,"d":0.5,"e":null}]' ] || fail "json"
[ "$(q "$log" "SELECT 12 AS long_name, 'b' AS x UNION ALL SELECT 3, 'cc'")" = 'long_name  x
       12  b
        3  cc' ] || fail "table"
[ "$(q --json "$log" "SELECT 1 WHERE 0")" = '[]' ] || fail "no rows"
# of names only what a terminal can be trusted with
q "$log" "SELECT char(27) || '[31m'" | grep -q '\\x1b' || fail "an escape"
printf "SELECT 1 AS a; -- and\nSELECT 2 AS b\n" >"$dir/q.sql"
[ "$(q --csv --file "$dir/q.sql" "$log" | tr '\n' ' ')" = 'a 1 b 2 ' ] || fail "a file"

ends_saying 64 'no such table: nosuch' "$monitorctl" query "$log" 'SELECT * FROM nosuch'
ends_saying 64 'near "selec": syntax error' "$monitorctl" query "$log" 'selec 1'
ends_saying 64 'it is empty' "$monitorctl" query "$log" ' -- nothing'
for sql in 'DELETE FROM names' "ATTACH '$dir/x.db' AS x" 'CREATE TABLE x (y)' 'DROP TABLE events' \
    'PRAGMA writable_schema = 1' "VACUUM INTO '$dir/x.db'" "INSERT INTO names VALUES (1, 2, 3, 4, 5)" \
    'BEGIN'; do
	ends_saying 64 'a query only reads' "$monitorctl" query "$log" "$sql"
done
ends_saying 64 'not authorized' "$monitorctl" query "$log" "SELECT load_extension('x')"
[ ! -e "$dir/x.db" ] || fail "a file was made"
ends_saying 64 '^usage' "$monitorctl" query "$log"
ends_saying 66 'none' "$monitorctl" query "$dir/none" 'SELECT 1'
ends_saying 66 '--file .*none' "$monitorctl" query --file "$dir/none" "$log"
ends_saying 64 '--timeout: x is no number' "$monitorctl" query --timeout x "$log" 'SELECT 1'
ends_saying 0 '^  spans: ' "$monitorctl" query --help
"$monitorctl" query "$log" 'SELECT * FROM events' >/dev/full 2>"$dir/out"
[ $? -eq 74 ] || fail "a full disk"

# endless: by steps of SQLite, and within our own
endless='WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'
within="SELECT count(*) FROM events a CROSS JOIN events b CROSS JOIN events c WHERE c.kind = 'no such'"
for sql in "$endless" "$within"; do
	ends_saying 75 'its --timeout was over' timeout 20 "$monitorctl" query --timeout 0.05 "$log" "$sql"
	# a shell starts what is in the background without SIGINT
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
	    "$monitorctl" query "$log" "$sql" 2>"$dir/out" &
	pid=$!
	# not the shell, or python, that it was before
	catches() { [ "$(cat /proc/$pid/comm)" = monitorctl ] && [ $((0x$(sed -n 's/^SigCgt:\t*//p' /proc/$pid/status) & 2)) -ne 0 ]; }
	wait_for 10 "a query" catches
	kill -INT $pid
	wait $pid
	[ $? -eq 75 ] || fail "interrupted, it ends otherwise"
	says "$dir/out" 'query: stopped'
done

# what the manual asks
command -v python3 >/dev/null || skip "no python3"
python3 - "$tests/../docs/monitorctl.1" "$dir" <<'EOF'
import re, sys
page = open(sys.argv[1]).read().partition('.Sh QUERIES')[2].partition('.Sh ')[0]
for n, sql in enumerate(re.findall(r'\.Bd.*?\n(.*?)\.Ed', page, re.S)):
    open(f'{sys.argv[2]}/manual{n}.sql', 'w').write(sql)
EOF
[ -e "$dir/manual2.sql" ] || fail "the manual has no queries"
for f in "$dir"/manual*.sql; do
	ends_with 0 "$monitorctl" query --file "$f" "$log"
done

#!/bin/sh
# Connections that mean harm: greedy ones, too many, of other users, with names
# that a terminal would obey.  monitord turns them away with a line each, in
# little memory and time, and serves those who behave.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"

# peer.py WHAT SOCKET ...: frames by hand
cat >"$dir/peer.py" <<'EOF'
import os, select, socket, struct, sys, time, zlib
def seal(kind, body, length=None):
    head = b'Ory1' + struct.pack('<IH', len(body) if length is None else length, kind)
    check = zlib.crc32(head)
    check = (check ^ check >> 16) & 0xffff or 1
    head += struct.pack('<H', check)
    return head[:12] + struct.pack('<I', zlib.crc32(head[:12] + body)) + body
def text(s):
    return struct.pack('<H', len(s)) + s
def hello(role, name, least=1, most=1):
    return seal(1, struct.pack('<HHB', least, most, role) + text(name) +
                bytes(16) + struct.pack('<Q', 0) + text(b'm') + struct.pack('<I', 0))
def dial(path):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(10)
    while True:
        try:
            s.connect(path)
            return s
        except BlockingIOError:  # the backlog is full
            time.sleep(0.01)
what, path = sys.argv[1:3]
def over(s):  # until the other side closes; what it said
    got = b''
    try:
        while True:
            b = s.recv(65536)
            if not b:
                return got
            got += b
    except ConnectionError:
        return got
if what == 'names':
    s = dial(path)
    s.sendall(hello(4, b'x\nmonitord: receipt is good \x1b[31mRED', 9, 9))
    over(s)
elif what == 'greedy':   # the beginning of a message of 8 MB, before the hello or behind it
    held = []
    for i in range(300):
        s = dial(path)
        try:
            if i % 2:
                s.sendall(hello(3 + i // 2 % 2, b'v'))
            s.sendall(seal(60, b'', 8 << 20))
            s.settimeout(0.05)
            s.sendall(b'A' * (256 << 10))
        except OSError:
            pass
        held.append(s)
    print('held', flush=True)
    sys.stdin.readline()
elif what == 'silent':   # and how many are still there
    held = []
    for i in range(int(sys.argv[3])):
        held.append(dial(path))
    print('held', flush=True)
    if len(sys.argv) > 4:  # within so many seconds some are turned away
        print('away', len(select.select(held, [], [], int(sys.argv[4]))[0]), flush=True)
    sys.stdin.readline()
elif what == 'stranger':
    os.setgroups([])
    os.setresuid(65534, 65534, 65534)
    s = dial(path)
    s.settimeout(10)
    try:
        s.sendall(hello(3, b'v') + seal(50, bytes(8)))
    except OSError:
        pass
    print(len(over(s)))
elif what == 'listen':   # as another user
    os.setgroups([])
    os.setresuid(65534, 65534, 65534)
    l = socket.socket(socket.AF_UNIX)
    l.bind(path)
    os.chmod(path, 0o777)
    l.listen(10)
    print('held', flush=True)
    got = b''
    l.settimeout(30)
    while True:
        c, _ = l.accept()
        c.settimeout(5)
        got = over(c)
        print('got', len(got), flush=True)
elif what == 'answer':   # as monitord, with what a terminal would obey
    l = socket.socket(socket.AF_UNIX)
    l.bind(path)
    l.listen(10)
    print('held', flush=True)
    while True:
        c, _ = l.accept()
        c.sendall(seal(2, struct.pack('<H', 1) + bytes(16) + text(b'r') + bytes(16)) +
                  seal(61, struct.pack('<HB', 0, 0) + text(b'run: x\x1b[31mRED\x07\n')))
        c.settimeout(10)
        over(c)
elif what == 'twice':    # asks twice for the end, and hangs up
    s = dial(path)
    s.sendall(hello(4, b'x') + 2 * seal(60, text(b'shutdown') + text(b'')))
    s.close()
EOF
peer() { timeout 60 python3 "$dir/peer.py" "$@"; }
# held WHAT ARGUMENTS...: such a peer, holding on until let go
held() {
	rm -f "$dir/hold" "$dir/held" # what the one before said is no answer of this one
	mkfifo "$dir/hold"
	python3 "$dir/peer.py" "$@" <"$dir/hold" >"$dir/held" 2>"$dir/held.err" &
	held_pid=$!
	exec 9>"$dir/hold"
	wait_for 20 "$1 to be held" grep -qs held "$dir/held"
}
let_go() {
	exec 9>&-
	wait "$held_pid" 2>/dev/null
}
resident_kb() { awk '/^VmRSS:/ { print $2 }' "/proc/$monitord_pid/status"; }
ticks() { awk '{ print $14 + $15 }' "/proc/$monitord_pid/stat"; }
sock=$ORRERY_DIR/monitord.sock

printf 'nodes:\n  - { name: n1, launch: none }\n' >"$dir/c.yaml"
start_monitord "$dir/c.yaml"

# --- names ---
peer names "$sock"
says "$dir/monitord.err" 'x\\x0amonitord: receipt is good \\x1b\[31mRED'
[ "$(tr -d '\012\040-\176' <"$dir/monitord.err" | wc -c)" -eq 0 ] || fail "control characters in what monitord says"

held answer "$dir/answer"
for command in "status --yaml" shutdown; do
	"$monitorctl" --socket "$dir/answer" $command >"$dir/out" 2>&1
	says "$dir/out" 'run: x\\x1b\[31mRED'
	[ "$(tr -d '\012\040-\176' <"$dir/out" | wc -c)" -eq 0 ] || fail "$command lets control characters through"
done
kill "$held_pid"
wait "$held_pid" 2>/dev/null

# --- greedy ones: 300 of them hold little ---
before=$(resident_kb)
held greedy "$sock"
"$monitorctl" status >/dev/null || fail "status beside greedy ones"
after=$(resident_kb)
let_go
[ "$before" -gt 0 ] && [ "$after" -gt "$before" ] || fail "resident before: $before KB, beside greedy ones: $after KB"
echo "300 connections hold $((after - before)) KB"
[ $((after - before)) -lt 65536 ] || fail "300 connections hold $((after - before)) KB"
for who in 'a new connection' 'viewer v' 'control v'; do
	says "$dir/monitord.err" "$who: a message of [0-9]+ bytes, which is too long here"
done

# --- silent ones do not keep others out ---
held silent "$sock" 400
"$monitorctl" status >/dev/null || fail "status beside silent ones"
says "$dir/monitord.err" 'have not said hello'
let_go

# --- the end, asked for twice ---
peer twice "$sock"
wait "$monitord_pid"
code=$?
monitord_pid=
[ $code -lt 128 ] || fail "asked twice for the end, monitord ended with $code"

# --- without descriptors: it rests, and goes on when there are some ---
rm -f "$dir/run.orr"
(ulimit -n 40; exec "$monitord" --index no --log "$dir/run.orr" "$dir/c.yaml" 2>"$dir/few.err") &
monitord_pid=$!
wait_for 20 "monitord" "$monitorctl" status
held silent "$sock" 60 3
wait_for 10 "the descriptors to be used up" grep -q 'no descriptors are left' "$dir/few.err"
wait_for 10 "one to be turned away" grep -q '^away [1-9]' "$dir/held"
from=$(ticks) from_ms=$(date +%s%3N)
sleep 1 # or longer; it may use a fifth of that, and used all of it
used=$((($(ticks) - from) * 1000 / ($(date +%s%3N) - from_ms)))
[ $used -lt 20 ] || fail "without descriptors monitord takes $used % of a processor"
let_go
wait_for 10 "monitord to serve again" "$monitorctl" status
"$monitorctl" shutdown >/dev/null 2>&1
wait "$monitord_pid"
monitord_pid=

# --- the runtime directory ---
mkdir -m 755 "$dir/lax"
refused 73 "$dir/lax is open to others \(mode 0755\).*--dir" "$monitord" --dir "$dir/lax" "$dir/c.yaml"
refused 73 "$dir/lax is open to others" "$BUILD/collector/collector" --dir "$dir/lax" --name n1
ends_saying 72 "$dir/lax is open to others" "$monitorctl" --dir "$dir/lax" status
ln -s "$ORRERY_DIR" "$dir/link"
refused 73 "$dir/link is a link" "$monitord" --dir "$dir/link" "$dir/c.yaml"

# --- TCP: only when it is meant ---
port=$(some_port)
refused 64 "tcp:localhost:$port: every user.*--insecure-loopback" "$monitord" --listen "tcp:localhost:$port" "$dir/c.yaml"
printf 'listen: tcp:localhost:%s\nnodes:\n  - { name: n1, launch: none }\n' "$port" >"$dir/tcp.yaml"
refused 78 "every user" "$monitord" "$dir/tcp.yaml"
refused 78 "every user" "$monitord" -n "$dir/tcp.yaml"
rm -f "$dir/run.orr"
start_monitord --insecure-loopback "$dir/tcp.yaml"
python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 5)" || fail "tcp:localhost does not listen"
"$monitorctl" shutdown >/dev/null 2>&1
wait "$monitord_pid"
monitord_pid=

# --- other users ---
[ "$(id -u)" -eq 0 ] || { echo "other users: only root can try"; exit 0; }
chmod 711 "$dir"
mkdir -m 1777 "$dir/open"
mkdir -m 700 "$dir/theirs"
chown 65534 "$dir/theirs"
refused 73 "$dir/theirs belongs to another user \(65534\).*--dir" "$monitord" --dir "$dir/theirs" "$dir/c.yaml"
rm -f "$dir/run.orr"
start_monitord --listen "unix:$dir/open/sock" "$dir/c.yaml"
chmod 777 "$dir/open/sock"
[ "$(peer stranger "$dir/open/sock")" = 0 ] || fail "another user was served"
says "$dir/monitord.err" 'a process of user 65534 is turned away'
"$monitorctl" shutdown >/dev/null 2>&1
wait "$monitord_pid"
monitord_pid=
held listen "$dir/open/fake"
ends_saying 77 'fake' "$monitorctl" --socket "$dir/open/fake" status
"$BUILD/collector/collector" --name n1 --monitord "unix:$dir/open/fake" 2>"$dir/collector.err" &
collector_pid=$!
wait_for 20 "the collector to say so" grep -q 'open/fake is served by another user (65534)' "$dir/collector.err"
kill "$collector_pid"
wait "$collector_pid" 2>/dev/null
kill "$held_pid"
grep -q 'got [1-9]' "$dir/held" && fail "another user's monitord was told something"
echo "all are turned away"

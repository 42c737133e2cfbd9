#!/bin/sh
# Collectors started through ssh, by a real sshd on loopback with keys, a
# configuration and a port of its own: they find monitord through the forwarded
# socket, are started again when ssh or they themselves die, and stop with the
# run or with monitord.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
sshd=$(command -v sshd || echo /usr/sbin/sshd)
[ -x "$sshd" ] && command -v ssh >/dev/null && command -v ssh-keygen >/dev/null ||
    skip "no ssh, sshd and ssh-keygen here"
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd || skip "sshd wants /run/sshd"
mkdir -m 700 "$dir/ssh"
ssh-keygen -q -t ed25519 -N '' -f "$dir/ssh/host" || skip "ssh-keygen cannot make keys"
ssh-keygen -q -t ed25519 -N '' -f "$dir/ssh/user"
cp "$dir/ssh/user.pub" "$dir/ssh/authorized"
port=$(some_port)
cat >"$dir/ssh/sshd_config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $dir/ssh/host
PidFile $dir/ssh/pid
AuthorizedKeysFile $dir/ssh/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowStreamLocalForwarding yes
END
cat >"$dir/ssh/config" <<END
Host *
	Port $port
	IdentityFile $dir/ssh/user
	IdentitiesOnly yes
	UserKnownHostsFile $dir/ssh/known
	StrictHostKeyChecking no
	LogLevel ERROR
END
"$sshd" -f "$dir/ssh/sshd_config" -E "$dir/ssh/log" || skip "sshd cannot run here: $(cat "$dir/ssh/log")"
tries=50 # it goes into the background before it listens
until ssh -F "$dir/ssh/config" -o BatchMode=yes 127.0.0.1 true 2>/dev/null; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || skip "cannot log in by ssh here: $(tail -n 1 "$dir/ssh/log")"
	sleep 0.1
done

# the other side has a runtime directory of its own
mkdir -m 700 "$dir/there"
cat >"$dir/c.yaml" <<END
name: ssh
defaults:
  launch: ssh
  host: 127.0.0.1
  user: $(id -un)
  ssh: ssh -F $dir/ssh/config
  collector: $BUILD/collector/collector
  dir: $dir/there
nodes:
  - { name: n1, test_clock: "1.5,50" }
  - { name: n2 }
END
start_monitord "$dir/c.yaml"
wait_for 20 "two nodes through ssh" nodes_ready 2
[ ! -e "$ORRERY_DIR/n1" ] || fail "the collector is here, not there"
[ -S "$dir/there/n1/collector.sock" ] || fail "the collector is not there"
# a program on both, by a table: there, and ended from here
for n in n1 n2; do
	echo "$n 1 through ssh -F $dir/ssh/config 127.0.0.1 env PATH=$BUILD/tools:/usr/bin:/bin ORRERY_DIR=$dir/there"
done >"$dir/map"
"$monitorctl" run --map "$dir/map" --plain sh -c 'echo "$ORRERY_RANK of $ORRERY_RANKS on $ORRERY_NODE in $ORRERY_DIR"; exit $ORRERY_RANK' \
    >"$dir/mapped" 2>"$dir/mapped.err"
[ $? = 1 ] || fail "by a table: $(cat "$dir/mapped.err")"
sort "$dir/mapped" | tr '\n' , | grep -Fxq "[n1 0] 0 of 2 on n1 in $dir/there,[n2 1] 1 of 2 on n2 in $dir/there," ||
    fail "by a table: $(cat "$dir/mapped")"
"$monitorctl" run --map "$dir/map" --plain sh -c 'echo $$ >"$0.$ORRERY_RANK"; exec sleep 1000' "$dir/up" >/dev/null 2>&1 &
mapped=$!
wait_for 30 "both to run" test -s "$dir/up.0" -a -s "$dir/up.1"
kill -KILL $mapped
both_gone() { ! kill -0 "$(cat "$dir/up.0")" 2>/dev/null && ! kill -0 "$(cat "$dir/up.1")" 2>/dev/null; }
wait_for 30 "both to end" both_gone
run_load() { ORRERY_DIR=$dir/there ORRERY_NODE=$1 "$load" --wait --threads 1 --rate 20000 --seconds 2; }
run_load n1 >"$dir/load1" &
load1=$!
run_load n2 >"$dir/load2" &
load2=$!
stored_of() { [ "$("$monitorctl" dump --node "$1" "$dir/run.orr" | wc -l)" -gt 1000 ]; }
wait_for 10 "events of n1" stored_of n1

# ssh dies: its collector goes too, another comes, nothing is lost
pid=$(pgrep -f -- "-R /tmp/orrery-.*$ORRERY_DIR/monitord.sock.*--name 'n1'" | head -n 1)
[ -n "$pid" ] || fail "no ssh of node n1"
kill -KILL "$pid"
back() { grep -q 'node n1: is back' "$dir/monitord.err" || grep -q 'its ssh was killed' "$dir/monitord.err"; }
wait_for 10 "the death of ssh to be noticed" back
wait_for 20 "two nodes again" nodes_ready 2
wait $load1 && wait $load2 || fail "a program was harmed"
finish
# while n1 had no collector its program had nobody to tell; n2 went on
published=$(sed -n 's/^published \([0-9]*\).*/\1/p' "$dir/load2")
stored=$("$monitorctl" dump --node n2 "$dir/run.orr" | wc -l)
[ "$stored" -ge "$published" ] || fail "n2: published $published, stored $stored"
stored_of n1 || fail "n1: next to nothing stored"
# what it could not tell is counted, with that reason and no other
"$monitorctl" dump --kind lost "$dir/run.orr" >"$dir/lost"
grep -v 'not attached' "$dir/lost" >"$dir/other" && { cat "$dir/receipt" "$dir/other"; fail "events were lost"; }

# all gone, and nothing left in /tmp
gone() { ! pgrep -f "collector.*$dir/there" >/dev/null; }
wait_for 10 "the collectors to stop" gone
kill "$(cat "$dir/ssh/pid")"
echo "ssh: ok, $stored events of n2"

#!/bin/sh
# What is wrong with a command line or a cluster file is said with its place
# and the right exit code, and nothing is started.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
cd "$dir"

# expect CODE PATTERN COMMAND...
expect() {
	code=$1 pattern=$2
	shift 2
	timeout 10 "$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$code" ] || { cat err; fail "$*: exit $got, not $code"; }
	grep -qE -e "$pattern" out err || { cat out err; fail "$*: nothing like '$pattern'"; }
	[ ! -e run.orr ] || fail "$*: has made a log"
	[ ! -e "$ORRERY_DIR/monitord.sock" ] || fail "$*: has listened"
}
# file CODE PATTERN TEXT: a cluster file, checked only and for real
file() {
	printf "$3" >c.yaml
	expect "$1" "$2" "$monitord" -n c.yaml
	expect "$1" "$2" "$monitord" c.yaml
}

file 78 '^c.yaml:2:5: unknown key' 'nodes:\n  - hots: a\n    name: b\n'
file 78 '^c.yaml:3:12: rings: a whole number' 'nodes:\n  - name: a\n    rings: many\n'
file 78 "^c.yaml:2:5: 'name' is missing" 'nodes:\n  - host: h\n'
file 78 "^c.yaml:3:11: name: node 'n2' is defined already, in line 2" 'nodes:\n  - name: n[1-3]\n  - name: n2\n'
file 78 '^c.yaml:2:12: name: bad range' 'nodes:\n  - name: n[1-3\n'
file 78 '^c.yaml:1:9: listen: others could reach' 'listen: tcp:0.0.0.0:7420\nnodes:\n  - name: a\n'
file 78 '^c.yaml:1:1: the file is empty' ''
file 78 '^c.yaml:2:1: this is not YAML' 'nodes:\n\t- name: a\n'
# all of them at once
file 78 '^c.yaml:4:12: rings' 'lisen: x\nnodes:\n  - name: a\n    rings: 0\n'
grep -q '^c.yaml:1:1: unknown key' err || fail "only the last problem is named"

expect 66 'nothere.yaml: No such file' "$monitord" nothere.yaml
expect 66 'Is a directory' "$monitord" .
if [ "$(id -u)" -ne 0 ]; then
	printf 'nodes:\n  - name: a\n' >secret.yaml
	chmod 000 secret.yaml
	expect 66 'Permission denied' "$monitord" secret.yaml
fi
expect 64 'is no option here' "$monitord" --frobnicate
expect 64 'monitord --help' "$monitord" --frobnicate
expect 64 'one cluster file' "$monitord" a.yaml b.yaml
expect 64 '--listen .*: others could reach' "$monitord" --listen tcp:10.0.0.1:7420
expect 64 '--listen .*: tcp:127.0.0.1:PORT or unix:PATH' "$monitord" --listen here
expect 0 '^usage: monitord' "$monitord" --help
expect 0 '^monitord [0-9]' "$monitord" --version
printf 'nodes:\n  - name: a\n' >c.yaml
timeout 10 "$monitord" -n c.yaml || fail "a good file is not good for -n"
echo "bad files: ok"

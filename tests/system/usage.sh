#!/bin/sh
# What every program says, and with which exit code, to an unknown option, a
# missing argument, a bad value, and a call for help.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
golden=$PWD/tests/golden/log-version-1
cd "$dir"
PATH=$BUILD/monitord:$BUILD/collector:$BUILD/viewer:$BUILD/tools:$PATH
unset DISPLAY
export ASAN_OPTIONS="${ASAN_OPTIONS:-}"
echo "no log at all" >no.orr
cp "$golden" good.orr || fail "no golden log"
: >empty.orr
printf 'nodes:\n  - name: a\n' >good.yaml
failed=0

# each line: code, what it must say, command
while IFS='|' read -r code pattern command; do
	case $code in ''|'#'*) continue ;; esac
	timeout 10 sh -c "$command" >out 2>err </dev/null
	got=$?
	if [ $got -ne "$code" ]; then
		echo "'$command': exit $got, should be $code"; cat err; failed=1
	elif [ "$code" -eq 0 ] && ! grep -qE -e "$pattern" out; then
		echo "'$command': prints nothing like '$pattern'"; cat out; failed=1
	elif [ "$code" -ne 0 ] && ! grep -qE -e "$pattern" err; then
		echo "'$command': says nothing like '$pattern'"; cat err; failed=1
	elif [ "$code" -ne 0 ] && [ "$(wc -l <err)" -gt 4 ]; then
		echo "'$command': says too much"; cat err; failed=1
	elif [ "$code" -ne 0 ] && [ -s out ]; then
		echo "'$command': an error goes to stdout"; cat out; failed=1
	fi
done <<'TABLE'
# monitord
0|^usage: monitord|monitord --help
0|^monitord [0-9]|monitord --version
64|monitord --help|monitord --frob
64|monitord --help|monitord -x
64|monitord --help|monitord --log
64|one cluster file|monitord good.yaml good.yaml
64|--index often: yes, no or a number|monitord --index often good.yaml
64|--listen .*others could reach|monitord --listen tcp:8.8.8.8:1 good.yaml
64|--listen .*: tcp:127|monitord --listen nonsense good.yaml
66|nothere.yaml: No such file|monitord nothere.yaml
73|name another|monitord --log nodir/x.orr good.yaml
# collector
0|^usage: collector|collector --help
0|^collector [0-9]|collector --version
64|collector --help|collector --frob
64|collector --help|collector --name
64|--name|collector
64|--ring|collector --name a --ring many
64|--ring|collector --name a --ring 1
64|--rings|collector --name a --rings 0
64|--flush|collector --name a --flush soon
64|--sweep|collector --name a --sweep never
64|--mask|collector --name a --mask everything
64|--full|collector --name a --full maybe
64|--test-clock|collector --name a --test-clock wrong
64|--spool-limit|collector --name a --spool-limit -1
64|--monitord|collector --name a --monitord nowhere
64|name|collector --name a/b
# monitorctl
0|^usage: monitorctl|monitorctl --help
0|^monitorctl [0-9]|monitorctl --version
64|monitorctl --help|monitorctl
64|monitorctl --help|monitorctl frob
64|monitorctl --help|monitorctl --frob
64|monitorctl --help|monitorctl --dir
64|^monitorctl: --frob is no option here; see monitorctl status --help$|monitorctl status --frob
64|usage: monitorctl status|monitorctl status extra
64|--watch|monitorctl status --watch=soon
69|monitord does not run|monitorctl status
69|monitord does not run|monitorctl shutdown
64|usage: monitorctl shutdown|monitorctl shutdown now
64|^monitorctl: --frob is no option here; see monitorctl who --help$|monitorctl who --frob
64|PO or PO.THREAD|monitorctl who x
69|no collector|monitorctl who
64|usage: monitorctl run|monitorctl run
64|--full|monitorctl run --full maybe true
64|usage: monitorctl dump|monitorctl dump
64|^monitorctl: --frob is no option here; see monitorctl dump --help$|monitorctl dump --frob no.orr
64|--from|monitorctl dump --from soon no.orr
64|--po|monitorctl dump --po many no.orr
69|--node zz: the log has no such node, but [a-z0-9]+|monitorctl dump --node zz good.orr
69|no such process or thread|monitorctl dump --po 77 good.orr
69|no such process or thread|monitorctl dump --thread 77 good.orr
64|--from wants a value; see monitorctl dump --help|monitorctl dump --from
64|--names=x takes no value|monitorctl dump --names=x good.orr
0|^usage: viewer|viewer -h
0|^usage: monitorctl|monitorctl -h
0|^usage: monitorctl dump|monitorctl dump -h
64|no kind of event is called nonsense|monitorctl dump --kind nonsense good.orr
0|.|monitorctl dump good.orr
65|not a log|monitorctl dump no.orr
66|nothere.orr: No such file|monitorctl dump nothere.orr
64|usage: monitorctl report|monitorctl report
64|^monitorctl: --frob is no option here; see monitorctl report --help$|monitorctl report --frob no.orr
65|not a log|monitorctl report no.orr
65|empty.orr|monitorctl report empty.orr
66|nothere.orr: No such file|monitorctl report nothere.orr
64|usage: monitorctl check|monitorctl check
65|not a log|monitorctl check no.orr
66|nothere.orr: No such file|monitorctl check nothere.orr
# viewer
0|^usage: viewer|viewer --help
0|^viewer .*[0-9]|viewer --version
64|viewer --help|viewer --frob
64|viewer --help|viewer --size
64|--size|viewer --size big --describe good.orr
64|colour is one of|viewer --colour mauve --describe good.orr
64|--range|viewer --range x --describe good.orr
64|--view|viewer --view none --describe good.orr
64|--print|viewer --print nonsense
64|two files|viewer a.orr b.orr c.orr
64|FILE|viewer --snapshot out.png
64|commands snapshot and describe|viewer --snapshot out.png --script do good.orr
64|--index wants a FILE|viewer --index
65|no.orr: is not a log|viewer --index no.orr
64|--background is for --index|viewer --background good.orr
66|nothere.orr: No such file|viewer --index nothere.orr
65|not a log|viewer --describe no.orr
65|empty.orr|viewer --describe empty.orr
66|nothere.orr: No such file|viewer --describe nothere.orr
69|display|viewer nothere.orr
# all four alike
0|^usage: monitord|monitord -h
0|^usage: collector|collector -h
0|^usage: monitorctl|monitorctl -h
0|^usage: viewer|viewer -h
64|^monitord: --frob is no option here; see monitord --help$|monitord --frob
64|^monitord: -z is no option here; see monitord --help$|monitord -zh
64|^monitord: --log wants a value; see monitord --help$|monitord --log
64|^monitord: --version=2 takes no value; see monitord --help$|monitord --version=2
64|^collector: --frob is no option here; see collector --help$|collector --frob
64|^collector: -z is no option here; see collector --help$|collector -zh
64|^collector: --name wants a value; see collector --help$|collector --name
64|^collector: --version=2 takes no value; see collector --help$|collector --version=2
64|^monitorctl: --frob is no option here; see monitorctl --help$|monitorctl --frob
64|^monitorctl: -z is no option here; see monitorctl --help$|monitorctl -zh
64|^monitorctl: --dir wants a value; see monitorctl --help$|monitorctl --dir
64|^monitorctl: --version=2 takes no value; see monitorctl --help$|monitorctl --version=2
64|^viewer: --frob is no option here; see viewer --help$|viewer --frob
64|^viewer: -z is no option here; see viewer --help$|viewer -zh
64|^viewer: --size wants a value; see viewer --help$|viewer --size
64|^viewer: --version=2 takes no value; see viewer --help$|viewer --version=2
TABLE
[ ! -e run.orr ] || fail "a log was made"
[ $failed -eq 0 ] || fail "see above"
echo "usage: ok"

#!/bin/sh
# The long run: every campaign at its full length, one after another, and
# docs/proof.md made from what they print.  A campaign is a line of
# scripts/proof.list; its output is kept in build/proof/NAME, so that a run
# which was interrupted goes on where it was (FRESH=1 begins again).  What is
# to be said of the results stands in scripts/proof.remarks.
#
#	BUILD	where the programs are (build)
#	ONLY	names of campaigns, to run only these
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
export BUILD
kept=build/proof page=docs/proof.md
mkdir -p "$kept"
[ -z "${FRESH:-}" ] || rm -f "$kept"/*

# run NAME COMMAND: the output, and beside it the seconds, the code, the state
run() {
	began=$(date +%s)
	echo "proof: $1: $2" >&2
	sh -c "$2" >"$kept/$1.part" 2>&1
	code=$?
	printf '%s\t%s\t%s\t%s\n' "$(date -u +%Y-%m-%d)" "$(($(date +%s) - began))" \
	    "$code" "$(git rev-parse --short HEAD 2>/dev/null)" >"$kept/$1.how"
	mv "$kept/$1.part" "$kept/$1"
	echo "proof: $1: exit $code after $(($(date +%s) - began)) s" >&2
}

# section NAME LINES COMMAND WHAT
section() {
	printf '\n## %s\n\n' "$4"
	[ -f "$kept/$1.how" ] || { echo 'Not run.'; return; }
	IFS="$tab" read -r day seconds code commit <"$kept/$1.how"
	printf '%s, commit %s, %s s, exit code %s:\n\n' "$day" "$commit" "$seconds" "$code"
	printf '    $ %s\n' "$3"
	tail -n "$2" "$kept/$1" | expand | sed 's/^/    /'
}

tab=$(printf '\t')
failed=0
while IFS="$tab" read -r name lines command what; do
	case $name in ''|'#'*) continue ;; esac
	case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
	[ -f "$kept/$name.how" ] || run "$name" "$command" </dev/null
	[ "$(cut -f 3 "$kept/$name.how")" = 0 ] || failed=$((failed + 1))
done <scripts/proof.list

{
	cat <<END
# The long run

Time, order and loss, tried at length.  \`make proof\` repeats all of it and
writes this page; \`make proof ONLY=name\` repeats one part.  What stands
below is what the programs printed.  The machine: $(nproc) processors,
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r | sed "s/-.*//").
END
	while IFS="$tab" read -r name lines command what; do
		case $name in ''|'#'*) continue ;; esac
		section "$name" "$lines" "$command" "$what"
	done <scripts/proof.list
	[ ! -f scripts/proof.remarks ] || { echo; cat scripts/proof.remarks; }
} >"$page.new" && mv "$page.new" "$page"
echo "proof: $page is written; $failed campaigns failed" >&2
[ "$failed" = 0 ]

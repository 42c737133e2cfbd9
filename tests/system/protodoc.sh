#!/bin/sh
# The tables in the manual pages of proto are those that the programs have.
# Exit code 0, or 1 and what differs; "make protodoc" puts it right.
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/orrery-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
bad=0

if [ ! -x "$BUILD/docs/protodoc" ]; then
	echo "$BUILD/docs/protodoc is missing: make it first"
	exit 1
fi
for page in orrery-log.5 orrery-protocol.7; do
	cp "docs/$page" "$tmp/$page"
	docs/protodoc.sh "$BUILD/docs/protodoc" "$tmp/$page" || exit 1
	if ! diff -u "docs/$page" "$tmp/$page"; then
		echo "docs/$page is not what the tables say: make protodoc"
		bad=1
	fi
	# a page without its tables would agree with anything
	if [ "$(wc -l < "$tmp/$page")" -lt 200 ]; then
		echo "docs/$page has lost its tables"
		bad=1
	fi
done
exit $bad

#!/bin/sh
# Puts the tables that protodoc prints between their markers,
#	.\" BEGIN name ... .\" END name
# into the manual pages: docs/protodoc.sh PROTODOC PAGE...
# The example is the log that examplelog beside it writes, as the reader under
# tests/ explains it (without python3 it stays as it is).
set -eu
protodoc=$1
shift
for page; do
	awk -v protodoc="$protodoc" '
		/^\.\\" END / { skip = 0 }
		!skip { print }
		/^\.\\" BEGIN / {
			command = protodoc " " $3
			if ($3 == "example") {
				if (system("command -v python3 >/dev/null") != 0)
					next
				log_file = FILENAME ".log"
				example = protodoc
				sub(/protodoc$/, "examplelog", example)
				command = example " >" log_file \
				    " && python3 -B tests/reader/explain " log_file \
				    " && rm " log_file
			}
			while ((command | getline line) > 0)
				print line
			if (close(command) != 0)
				exit 1
			skip = 1
		}' "$page" > "$page.new"
	mv "$page.new" "$page"
done

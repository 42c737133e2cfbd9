# Structs of more members than one can keep in mind, in the sources of rooms:
# FILE:NAME and how many.  A struct within one is one member; so are a function
# and its arguments.  Input: sources.

FNR == 1 { comment = depth = 0 }
{
	line = $0
	if (comment) {
		if (!sub(/^.*\*\//, "", line)) next
		comment = 0
	}
	gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
	if (sub(/\/\*.*/, "", line)) comment = 1
}
depth == 0 {
	if (line !~ /^(static |const )*(struct|union) [a-z_0-9]+ \{$/) next
	name = line
	sub(/ \{$/, "", name); sub(/^.* /, "", name)
	depth = 1; members = parens = 0
	next
}
{
	n = split(line, c, "")
	for (i = 1; i <= n; i++) {
		if (c[i] == "{") depth++
		else if (c[i] == "}") depth--
		else if (c[i] == "(" || c[i] == "[") parens++
		else if (c[i] == ")" || c[i] == "]") parens--
		else if (depth == 1 && parens == 0 && (c[i] == ";" || c[i] == ",")) members++
	}
	if (depth == 0 && members > most) print FILENAME ":" name, members
}

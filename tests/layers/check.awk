# Holds the table of rooms against what sources include and objects need.
# Input, in this order, each announced by kind=...: the table; the names of
# all sources; their #include lines (FILE:#include ...); what nm -A -P says.

function fail(file, what) { printf "%s: %s\n", file, what; bad = 1 }
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function folder(f) { return match(f, /\/[^\/]*$/) ? substr(f, 1, RSTART - 1) : "." }
# private to a room
function private(f) { return (f ~ /inside\.h$/ || f in closed) && folder(f) in room }
# does name s match pattern p, which may have a * in it?
function like(s, p, i) {
	i = index(p, "*")
	if (i == 0)
		return s == p
	return substr(s, 1, i - 1) == substr(p, 1, i - 1) && length(s) >= length(p) - 1 && \
	    substr(s, length(s) - length(p) + i + 1) == substr(p, i + 1)
}
# the library's name of a symbol: what checks and large files add is taken off
function plain(s) {
	if (s in of) return s
	sub(/^__isoc[0-9]*_/, "", s)
	if (s ~ /^__.*_(chk|2)$/) { sub(/^__/, "", s); sub(/_(chk|2)$/, "", s) }
	if (!(s in of) && s ~ /64$/) sub(/64$/, "", s)
	return s
}
function group_of(s, p) {
	s = plain(s)
	if (s in of) return of[s]
	for (p in many) if (like(s, p)) return of[s] = many[p]
	return ""
}
function header_group(h, p) {
	if (h in seen_header) return seen_header[h]
	for (p in of_header) if (like(h, p)) return seen_header[h] = of_header[p]
	return seen_header[h] = ""
}
# may file f use group g, by its room's row or by a row of its own?
function allowed(f, g, i, n, p) {
	if (g == "base" || (room_of(f), g) in may_group) return 1
	for (i = 1; i <= rows_files; i++) {
		if (index(files_groups[i], " " g " ") == 0) continue
		n = split(files[i], p, " ")
		for (; n > 0; n--) if (like(f, p[n])) return 1
	}
	return 0
}
function room_of(f, d) { d = folder(f); return d in room ? d : "" }
function edge(a, b, why) {
	if (a == b || (a, b) in edge_why) return
	edge_why[a, b] = why
	if (!((a, b) in may_room))
		fail(a, sprintf("may not use room %s (%s): move what is needed down, hand it in as an argument or a hook, or add %s to the row of %s in tests/layers/rooms", b, why, b, a))
}

kind == "table" {
	sub(/#.*/, "")
	if ($0 !~ /[^ \t]/) next
	n = split($0, column, "|")
	what = $1
	name = trim(substr(trim(column[1]), length(what) + 1))
	if (what == "group") {
		group[name] = 1
		k = split(column[2], w, " ")
		for (i = 1; i <= k; i++) if (w[i] ~ /\*/) many[w[i]] = name; else of[w[i]] = name
		k = split(column[3], w, " ")
		for (i = 1; i <= k; i++) of_header[w[i]] = name
	} else if (what == "room") {
		room[name] = ++rooms
		room_name[rooms] = name
		k = split(column[2], w, " ")
		for (i = 1; i <= k; i++) {
			if (sub(/\+$/, "", w[i])) all_of[name, w[i]] = 1
			if (w[i] != "-") { may_room[name, w[i]] = 1; wanted[w[i]] = name }
		}
		k = split(column[3], w, " ")
		for (i = 1; i <= k; i++) { may_group[name, w[i]] = 1; wanted_group[w[i]] = name }
	} else if (what == "files") {
		files[++rows_files] = name
		files_groups[rows_files] = " " trim(column[2]) " "
		k = split(column[2], w, " ")
		for (i = 1; i <= k; i++) wanted_group[w[i]] = name
	} else if (what == "private") {
		k = split(column[2], w, " ")
		n = split(name, headers, " ")
		for (; n > 0; n--) {
			closed[headers[n]] = 1
			for (i = 1; i <= k; i++) if (w[i] != "-") let_in[headers[n], ++lets[headers[n]]] = w[i]
		}
	} else if (what == "apart") {
		apart[++aparts] = name
		apart_from[aparts] = column[2]
	} else if (what == "wide" || what == "font") {
		next # for layers.sh
	} else if (what == "instead") {
		instead[name] = 1
	} else if (what == "outside") {
		k = split(column[2] " " name, w, " ")
		for (i = 1; i <= k; i++) outside[w[i]] = 1
	} else
		fail("tests/layers/rooms", "no such row: " what)
	next
}

kind == "names" { sub(/^\.\//, ""); source[$0] = 1; next }

kind == "includes" {
	i = index($0, ":")
	f = substr($0, 1, i - 1); sub(/^\.\//, "", f)
	h = substr($0, i + 1); sub(/^#[ \t]*include[ \t]*/, "", h)
	inc_file[++incs] = f; inc[incs] = h
	next
}

# build/proto/ids.o: ids_new T 0 1c
kind == "symbols" {
	f = substr($1, length(build) + 2); sub(/\.o:$/, ".c", f)
	if ($3 ~ /^[Uw]$/) { need_file[++needs] = f; need[needs] = $2 }
	else if ($3 ~ /^[A-Z]$/ && $2 != "main") {
		r = folder(f)
		if (r in instead && group_of($2) != "") next
		if (!((r, $2) in defined)) { defined[r, $2] = f; where[$2] = where[$2] " " r }
	}
	next
}

# where a quoted include is found, as the compiler does
function found(f, h, i, p) {
	p = folder(f) "/" h
	if (p in source) return p
	for (i = 1; i <= npath; i++) {
		p = (path[i] == "." ? "" : path[i] "/") h
		if (p in source) return p
	}
	return ""
}
# may f include the private header h of another room?
function guest(f, h, i, w, yes) {
	for (i = 1; i <= lets[h]; i++) {
		w = let_in[h, i]
		if (w == room_of(f) || like(f, w)) { let_used[h, i] = 1; yes = 1 }
	}
	return yes
}
function mind_private(f, h, through) {
	if (folder(f) == folder(h) || guest(f, h)) return
	fail(f, sprintf("includes %s%s, which is private to room %s: include that room's contract, or add what is missing to it", h, through, folder(h)))
}
function mind_apart(f, other, what, i, n, p) {
	for (i = 1; i <= aparts; i++) {
		if (index(" " apart_from[i] " ", " " room_of(f) " ") == 0) continue
		n = split(apart[i], p, " ")
		for (; n > 0; n--) if (like(other, p[n]))
			fail(f, sprintf("%s %s: who checks must share no code with what is checked (row \"apart\")", what, other))
	}
}

# ROOM+ in a row: what that room may use, this one may, too
function widen(pair, p, i, more) {
	do {
		more = 0
		for (pair in all_of) {
			split(pair, p, SUBSEP)
			for (i = 1; i <= rooms; i++) {
				if (!((p[2], room_name[i]) in may_room) || (p[1], room_name[i]) in may_room) continue
				may_room[p[1], room_name[i]] = more = 1
			}
		}
	} while (more)
}

function check_table(r, f, d, i, k, p, hit) {
	for (r in wanted) if (!(r in room)) fail("tests/layers/rooms", "row of " wanted[r] " names " r ", which has no row")
	for (r in wanted_group) if (!(r in group)) fail("tests/layers/rooms", "row of " wanted_group[r] " names the group " r ", which is not there")
	for (f in source) {
		d = folder(f); has[d] = 1
		if (d in room || f ~ /\.def$/) continue
		sub(/\/.*/, "", d)
		if (d in outside || said[folder(f)]++) continue
		fail(f, "folder " folder(f) " has no row: add \"room " folder(f) " | rooms it may use | groups\" to tests/layers/rooms")
	}
	for (r in room) if (!(r in has)) fail("tests/layers/rooms", "row of room " r ": there is no such folder with sources; take the row out")
	for (i = 1; i <= rows_files; i++) {
		k = split(files[i], p, " ")
		for (; k > 0; k--) {
			hit = 0
			for (f in source) if (like(f, p[k])) { hit = 1; break }
			if (!hit) fail("tests/layers/rooms", "row of files " p[k] ": there are none; take it out")
		}
	}
}

function check_includes(i, f, h, r, g, t, k, more) {
	for (i = 1; i <= incs; i++) {
		f = inc_file[i]; h = inc[i]; r = room_of(f)
		if (h ~ /^</) {
			if (r == "") continue
			sub(/^</, "", h); sub(/>.*/, "", h)
			g = header_group(h)
			if (g != "" && !allowed(f, g))
				fail(f, sprintf("includes <%s> of the group %s, which room %s may not use: hand in what it needs, or add the group in tests/layers/rooms", h, g, r))
			continue
		}
		if (h !~ /^"/) continue
		sub(/^"/, "", h); sub(/".*/, "", h)
		t = found(f, h)
		if (t == "") {
			if (r != "") fail(f, "includes " h ", which is not there")
			continue
		}
		to[i] = t
		if (private(t)) mind_private(f, t, "")
		if (r == "") continue
		if (room_of(t) == "") { fail(f, "includes " t ", which is in no room"); continue }
		mind_apart(f, t, "includes")
		edge(r, room_of(t), f " includes " t)
	}
	# a header that includes its room's private one gives it to whoever
	# includes that header
	do {
		more = 0
		for (i = 1; i <= incs; i++) {
			f = inc_file[i]; t = to[i]
			if (t == "" || f !~ /\.h$/ || private(f) || folder(f) != folder(t) || f in carries) continue
			if (private(t)) { carries[f] = t; more = 1 }
			else if (t in carries) { carries[f] = carries[t]; more = 1 }
		}
	} while (more)
	for (i = 1; i <= incs; i++)
		if (to[i] in carries && folder(inc_file[i]) != folder(to[i]))
			mind_private(inc_file[i], carries[to[i]], " through " to[i])
	for (h in closed) if (!(h in source)) fail("tests/layers/rooms", "row of private " h ": there is no such header; take it out")
	for (h in lets) for (i = 1; i <= lets[h]; i++) if (!((h, i) in let_used))
		fail("tests/layers/rooms", sprintf("row of private %s: %s does not include it (any more); take it out", h, let_in[h, i]))
}

function check_symbols(i, f, s, r, k, w, n, best, g) {
	for (i = 1; i <= needs; i++) {
		f = need_file[i]; s = need[i]; r = folder(f)
		if ((r, s) in defined) continue
		if (s in where) {
			n = split(where[s], w, " ")
			best = w[1]
			for (k = 1; k <= n; k++) if ((r, w[k]) in may_room) best = w[k]
			mind_apart(f, defined[best, s], "needs " s "() of")
			edge(r, best, f " needs " s " of " defined[best, s])
			continue
		}
		g = group_of(s)
		if (g == "")
			fail(f, sprintf("needs %s, which is in no room and in no group of tests/layers/rooms (room %s)", s, r))
		else if (!allowed(f, g))
			fail(f, sprintf("needs %s of the group %s, which room %s may not use: hand in what it needs, or add the group in tests/layers/rooms", plain(s), g, r))
	}
}

# rooms that reach each other both ways are a circle
function check_circles(a, b, k, e, p) {
	for (e in edge_why) { split(e, p, SUBSEP); reach[room[p[1]], room[p[2]]] = 1 }
	for (k = 1; k <= rooms; k++) for (a = 1; a <= rooms; a++) if ((a, k) in reach)
		for (b = 1; b <= rooms; b++) if ((k, b) in reach) reach[a, b] = 1
	for (a = 1; a <= rooms; a++) for (b = 1; b <= rooms; b++) {
		if (a == b || !((room_name[a], room_name[b]) in edge_why) || !((b, a) in reach)) continue
		fail("circle", sprintf("%s -> %s, as %s; one of these has to go", room_name[a], room_name[b], edge_why[room_name[a], room_name[b]]))
	}
}

END {
	npath = split("proto common libprobe viewer .", path, " ")
	widen()
	check_table()
	check_includes()
	check_symbols()
	check_circles()
	exit bad
}

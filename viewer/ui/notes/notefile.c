/* Notes, read from and written to their file. */
#include "ui/notes/notefile.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/beside.h"
#include "ui/desk/parse.h"
#include "ui/notes/groups.h"

#define LINE_BYTES 512
#define FILE_BYTES (1 << 20)
#define PATH_BYTES 4400
#define SHAPE      "note TIME[:TIME] all|row N TEXT"

/* One that is being read. */
struct reading {
	struct notes *k;
	const char *path;
	bool beside, ours; /* beside the log; "run" has said so */
	bool damaged;      /* it could not be written again as it is */
	unsigned line, wrong;
	char *why;
	size_t n;
};

static bool
path_beside(const char *log, char *path, size_t n)
{
	int len = snprintf(path, n, "%s.notes", log);

	return (log[0] != '\0' && len > 0 && (size_t)len < n);
}

/* make: with its folders. */
static bool
path_own(const char *run, char *path, size_t n, bool make)
{
	const char *dir = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int len = -1;

	if (dir != NULL && dir[0] == '/')
		len = snprintf(path, n, "%s/orrery/%s.notes", dir, run);
	else if (home != NULL && home[0] == '/')
		len = snprintf(path, n, "%s/.local/state/orrery/%s.notes", home,
		    run);
	if (len < 0 || (size_t)len >= n)
		return (false);
	for (char *p = strchr(path + 1, '/'); make && p != NULL;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	return (true);
}

int
notefile_parse(const char *line, struct note *a, const char **why)
{
	char w[64];
	uint64_t row;

	memset(a, 0, sizeof(*a));
	a->row = NOTE_ALL;
	*why = "what stands here is no " SHAPE;
	if (!parse_word(&line, w, sizeof(w)) || strcmp(w, "note") != 0 ||
	    !parse_word(&line, w, sizeof(w)))
		return (-1);
	if (parse_time(w, &a->t0_ns) == 0) {
		a->t1_ns = a->t0_ns;
	} else if (parse_range(w, &a->t0_ns, &a->t1_ns) == -1) {
		*why = "this is no time and no range of time, as in "
		       "1.2s:1.3s";
		return (-1);
	}
	if (!parse_word(&line, w, sizeof(w)))
		return (-1);
	if (strcmp(w, "row") == 0) {
		if (!parse_word(&line, w, sizeof(w)) ||
		    parse_number(w, &row) == -1 || row >= NOTE_ALL) {
			*why = "row wants a number";
			return (-1);
		}
		a->row = (uint32_t)row;
	} else if (strcmp(w, "all") != 0) {
		return (-1);
	}
	*why = "there is no text";
	if (line[0] == '\0')
		return (-1);
	*why = "its text is too long, or no UTF-8";
	if (strlen(line) >= sizeof(a->text) || !parse_text_ok(line))
		return (-1);
	snprintf(a->text, sizeof(a->text), "%s", line);
	return (0);
}

static char *
spell_time(int64_t ns, char *buf, size_t n)
{
	snprintf(buf, n, "%s%" PRId64 ".%09" PRId64 "s", ns < 0 ? "-" : "",
	    (ns < 0 ? -ns : ns) / 1000000000, (ns < 0 ? -ns : ns) % 1000000000);
	return (buf);
}

char *
notefile_spell(const struct note *a, char *buf, size_t n)
{
	char t0[40], t1[40], row[24];

	spell_time(a->t0_ns, t0, sizeof(t0));
	spell_time(a->t1_ns, t1, sizeof(t1));
	snprintf(row, sizeof(row), "row %" PRIu32, a->row);
	snprintf(buf, n, "note %s%s%s %s %s", t0,
	    a->t1_ns > a->t0_ns ? ":" : "", a->t1_ns > a->t0_ns ? t1 : "",
	    a->row == NOTE_ALL ? "all" : row, a->text);
	return (buf);
}

/* Says what is wrong first, counts the rest. */
static void
wrong(struct reading *r, const char *what)
{
	if (r->wrong++ == 0 && r->n > 0 && r->why[0] == '\0')
		snprintf(r->why, r->n, "%.120s:%u: %s", r->path, r->line, what);
}

/* A line that makes no sense stays in the file. */
static void
keep(struct reading *r, const char *line)
{
	struct notes *k = r->k;
	size_t room = strlen(line) + 2;
	char *p = realloc(k->kept, k->kept_bytes + room);

	if (p == NULL) {
		r->damaged = true;
		return;
	}
	k->kept = p;
	snprintf(p + k->kept_bytes, room, "%s\n", line);
	k->kept_bytes += room - 1;
}

static void
take_note(struct reading *r, const char *line)
{
	struct note a;
	const char *why;

	if (groups_parse(r->k->hand, line, &why) == 0)
		return;
	if (why != NULL) {
		wrong(r, why);
		if (r->beside)
			keep(r, line);
		return;
	}
	if (notefile_parse(line, &a, &why) == 0) {
		a.beside = r->beside;
		if (notes_insert(r->k, &a) != NULL)
			return;
		why = "there are too many notes";
	}
	wrong(r, why);
	if (r->beside)
		keep(r, line);
}

/* False: the file is of another run, nothing of it is looked at. */
static bool
take_line(struct reading *r, const char *line)
{
	char w[64] = "";

	if (line[0] == '\0' || line[0] == '#')
		return (true);
	if (r->ours) {
		take_note(r, line);
		return (true);
	}
	if (parse_word(&line, w, sizeof(w)) && strcmp(w, "run") == 0 &&
	    strcmp(line, r->k->run) == 0) {
		r->ours = true;
		return (true);
	}
	wrong(r, strcmp(w, "run") == 0
		     ? "these notes are of another run, they are not shown"
		     : "notes begin with the run that they are of");
	return (false);
}

static void
read_lines(struct reading *r, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	bool more = true;

	while (more && (len = getline(&line, &room, f)) > 0) {
		r->line++;
		if (line[len - 1] == '\n')
			line[--len] = '\0';
		if (strlen(line) == (size_t)len) {
			more = take_line(r, line);
			continue;
		}
		wrong(r, "there is a zero in it");
		r->damaged = true;
	}
	if (more && !feof(f)) {
		wrong(r, "it cannot be read to its end");
		r->damaged = true;
	}
	free(line);
}

/* 0; -1: it is there, and not what it should be. */
static int
read_file(struct reading *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	FILE *f = NULL;

	if (fd == -1 && (errno == ENOENT || errno == ENOTDIR))
		return (0);
	if (fd != -1 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= FILE_BYTES)
		f = fdopen(fd, "r");
	if (f == NULL) {
		if (r->n > 0)
			snprintf(r->why, r->n, "%.120s: %s", r->path,
			    fd == -1 ? strerror(errno)
				     : "this is no file of notes");
		if (fd != -1)
			close(fd);
		return (-1);
	}
	read_lines(r, f);
	fclose(f);
	return ((r->ours && !r->damaged) || r->line == 0 ? 0 : -1);
}

int
notefile_read(struct notes *k, const char *log, char *why, size_t n)
{
	char path[PATH_BYTES];
	struct reading r = { .k = k, .path = path, .why = why, .n = n };
	unsigned all = 0;

	if (n > 0)
		why[0] = '\0';
	r.beside = path_beside(log, path, sizeof(path));
	if (r.beside)
		k->not_ours = read_file(&r) == -1;
	all = r.wrong;
	r.wrong = r.line = 0;
	r.beside = r.ours = r.damaged = false;
	if (path_own(k->run, path, sizeof(path), false))
		read_file(&r);
	all += r.wrong;
	if (n > 0 && all > 1) {
		size_t len = strlen(why);

		snprintf(why + len, n - len, "; and %u more like it", all - 1);
	}
	return (n > 0 && why[0] != '\0' ? -1 : 0);
}

/* Those that are wanted: all, or only those that are not beside the log. */
static void
put(FILE *f, const struct notes *k, bool all)
{
	char line[LINE_BYTES];

	fprintf(f,
	    "# notes of a run, by the viewer; times count from its "
	    "start\nrun %s\n",
	    k->run);
	for (size_t i = 0; i < k->n; i++)
		if (all || !k->note[i].beside)
			fprintf(f, "%s\n",
			    notefile_spell(&k->note[i], line, sizeof(line)));
	if (!all)
		fprintf(f, "afresh\n");
	groups_write(f, k->hand);
	if (all && k->kept != NULL)
		fputs(k->kept, f);
}

static int
write_file(const char *path, const struct notes *k, bool all)
{
	char temporary[BESIDE_BYTES];
	FILE *f = NULL;
	int fd = beside_open(path, 0666, temporary), rv = -1;

	if (fd != -1 && (f = fdopen(fd, "w")) == NULL)
		close(fd);
	if (f == NULL)
		return (-1);
	put(f, k, all);
	if (fflush(f) == 0)
		rv = beside_replace(fd, temporary, path);
	else
		unlink(temporary);
	fclose(f);
	return (rv);
}

int
notefile_write(struct notes *k, const char *log, char *why, size_t n)
{
	char path[PATH_BYTES], own[PATH_BYTES];
	bool have_log = path_beside(log, path, sizeof(path));
	bool have_own = path_own(k->run, own, sizeof(own), false);

	if (have_log && !k->not_ours && write_file(path, k, true) == 0) {
		for (size_t i = 0; i < k->n; i++)
			k->note[i].beside = true;
		if (have_own)
			unlink(own);
		return (0);
	}
	snprintf(why, n, "%.160s cannot be written: %s",
	    have_log ? path : "a place for notes",
	    k->not_ours || !have_log ? "it is something else"
				     : strerror(errno));
	if (k->was_beside || !have_own ||
	    !path_own(k->run, own, sizeof(own), true))
		return (-1);
	if (write_file(own, k, false) == 0)
		return (0);
	snprintf(why, n, "%.160s cannot be written: %s", own, strerror(errno));
	return (-1);
}

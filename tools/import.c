/*
 * monitorctl import: a trace of others as a finished log of ours.
 *
 * Each place of the trace is a node with one process of one thread.  Its times
 * are the run's; the clock of each node is that clock, as well as the trace
 * says it.
 */
#include "import/import.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "clockmap.h"
#include "log.h"
#include "monitorctl.h"
#include "plain.h"
#include "tools/logs/argument.h"
#include "tools/logs/logout.h"

#define TABLES_MAX      16
#define TABLE_BYTES_MAX ((size_t)1 << 20)
#define COMPLAINTS_MAX  10 /* that are shown */
#define NAME_BYTES      128

struct importing {
	const struct importer *importer; /* NULL: by what the file looks like */
	const char *tables[TABLES_MAX];
	int ntables;
	const char *path, *out_path;
	mode_t mode;
	struct import im;
	struct lines *lines;
	struct logout *out;
	uint64_t written;
	bool told; /* why it failed */
};

static void
complain(void *arg, const char *text)
{
	struct importing *x = arg;

	x->told = true;
	if (x->im.refused <= COMPLAINTS_MAX)
		log_warnx("%s: %s", x->path, text);
}

static int
failed(const char *what)
{
	int code = errno == ENOMEM ? EX_OSERR : EX_IOERR;

	log_warn("%s", what);
	return (code);
}

/* --- the log --- */

static int
put_head(struct importing *x, const struct imported *m)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.program = BYTES_STR("monitorctl " ORRERY_VERSION) };
	const char *base = strrchr(x->path, '/');
	char name[PLAIN_BYTES(NAME_BYTES)];
	uint64_t h = 0xcbf29ce484222325u;

	base = base == NULL ? x->path : base + 1;
	(void)plain(name, sizeof(name), base,
	    strlen(base) < NAME_BYTES ? strlen(base) : NAME_BYTES);
	run.name = BYTES_STR(name);
	/* the same trace is the same run: an identity made of its events */
	for (size_t i = 0; i < m->n; i++)
		h = (h ^ (uint64_t)m->events[i].t_node_ns ^
			m->events[i].location ^ m->events[i].a << 20) *
		    0x100000001b3u;
	for (int i = 0; i < 16; i++)
		run.run.b[i] =
		    (uint8_t)(i < 8 ? h >> (8 * i) : m->n >> (i - 8));
	run.start_mon_ns = m->n > 0 ? m->events[0].t_node_ns : 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->events[i].t_node_ns < run.start_mon_ns)
			run.start_mon_ns = m->events[i].t_node_ns;
	x->out = logout_open(x->out_path, x->mode, &run);
	return (x->out == NULL ? -1 : 0);
}

static int
put_kinds(struct logout *out)
{
	const struct event_desc *d;
	struct msg_kind k;

	for (unsigned i = 0; i < EVENT_KINDS; i++) {
		if ((d = event_desc(i)) == NULL)
			continue;
		tracefile_kind(d, &k);
		if (logout_message(out, MSG_kind, &k) == -1)
			return (-1);
	}
	return (0);
}

static int
put_place(struct importing *x, const struct imported *m, uint32_t i)
{
	const struct records *r = x->im.records;
	int64_t number = m->places[i].number;
	const char *called =
	    r->place == -1 ? NULL
			   : records_called(r, r->head[r->place].name, number);
	char name[NAME_BYTES];
	struct msg_node node = { .node = i + 1, .machine = BYTES_STR("") };
	struct msg_po po = { .node = i + 1, .po = 1 };
	struct msg_thread thread = { .location = i + 1,
		.node = i + 1,
		.po = 1,
		.thread = 1,
		.name = BYTES_STR("") };
	struct msg_segment map = { .node = i + 1,
		.error_ns = m->unit_ns,
		.state = CLOCK_LOCKED };

	if (called != NULL)
		snprintf(name, sizeof(name), "%s", called);
	else
		snprintf(name, sizeof(name), "%s%" PRId64, r->place_name,
		    number);
	node.name = BYTES_STR(name);
	po.program = BYTES_STR(x->importer->name);
	po.command = BYTES_STR(x->path);
	return (logout_message(x->out, MSG_node, &node) == -1 ||
			logout_message(x->out, MSG_po, &po) == -1 ||
			logout_message(x->out, MSG_thread, &thread) == -1 ||
			logout_message(x->out, MSG_segment, &map) == -1
		    ? -1
		    : 0);
}

static int
put_definitions(struct importing *x, const struct imported *m)
{
	if (put_head(x, m) == -1 || put_kinds(x->out) == -1)
		return (-1);
	for (uint32_t i = 0; i < m->nplaces; i++)
		if (put_place(x, m, i) == -1)
			return (-1);
	for (uint32_t i = 0; i < m->nnames; i++) {
		struct msg_name name = { .name = i + 1,
			.text = BYTES_STR(m->names[i]),
			.file = BYTES_STR(""),
			.program = BYTES_STR("") };

		if (logout_message(x->out, MSG_name, &name) == -1)
			return (-1);
	}
	return (0);
}

static int
put_event(void *arg, const struct event *e)
{
	struct importing *x = arg;

	x->written++;
	return (logout_event(x->out, e));
}

static int
write_log(struct importing *x)
{
	struct imported *m = x->im.made;
	struct msg_receipt receipt = { 0 };

	if (put_definitions(x, m) == -1)
		return (-1);
	if (imported_each(m, put_event, x) == -1)
		return (-1);
	receipt.published = receipt.stored = x->written;
	receipt.orphans = m->orphans;
	return (logout_finish(x->out, &receipt));
}

static void
tell(const struct importing *x)
{
	const struct imported *m = x->im.made;

	printf("%s: %" PRIu64 " records, %" PRIu64 " events of %" PRIu32
	       " places\n",
	    x->out_path, x->im.taken, x->written, m->nplaces);
	if (m->shifted > 0)
		printf("%" PRIu64 " moved behind their causes\n", m->shifted);
	if (m->orphans > 0)
		printf("%" PRIu64 " without their causes\n", m->orphans);
	if (m->unpaired > 0)
		printf("%" PRIu64 " whose partners cannot be theirs\n",
		    m->unpaired);
	if (x->im.refused > COMPLAINTS_MAX)
		log_warnx("%s: and %" PRIu64 " more", x->path,
		    x->im.refused - COMPLAINTS_MAX);
}

/* --- tables and the file --- */

/* A file that is not long, to be freed; NULL with *code, having said why. */
static char *
slurp(const char *path, size_t *n, int *code)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *p = malloc(TABLE_BYTES_MAX + 1);
	ssize_t got = 0;

	*n = 0;
	while (fd != -1 && p != NULL && *n <= TABLE_BYTES_MAX &&
	       (got = read(fd, p + *n, TABLE_BYTES_MAX + 1 - *n)) > 0)
		*n += (size_t)got;
	if (fd != -1 && p != NULL && got != -1) {
		close(fd);
		return (p);
	}
	*code = fd == -1 ? EX_NOINPUT : p == NULL ? EX_OSERR : EX_IOERR;
	log_warn("--records %s", path);
	if (fd != -1)
		close(fd);
	free(p);
	return (NULL);
}

static int
bad_table(const struct importing *x, const char *path)
{
	if (errno == ENOMEM)
		return (failed("--records"));
	log_warnx("--records%s%s: %s", path == NULL ? "" : " ",
	    path == NULL ? "" : path, x->im.records->error);
	return (EX_DATAERR);
}

static int
read_tables(struct importing *x)
{
	struct records *r = x->im.records = records_new();
	const char *own = x->importer->records;
	int code = EX_OK;
	int64_t unit;
	char *text;
	size_t n;

	if (r == NULL || records_read(r, own, strlen(own)) == -1)
		return (failed("the table of records"));
	for (int i = 0; i < x->ntables; i++) {
		if ((text = slurp(x->tables[i], &n, &code)) == NULL)
			return (code);
		code = records_read(r, text, n);
		free(text);
		if (code == -1)
			return (bad_table(x, x->tables[i]));
	}
	if (records_ready(r) == -1)
		return (bad_table(x, NULL));
	unit = x->im.unit == NULL ? 0 : records_unit(x->im.unit);
	if (unit != 0 && r->times == 1)
		r->time[0].unit_ns = unit;
	if (unit != 0 && r->times != 1) {
		log_warnx("import: --unit: the time of %s has units of its own",
		    x->importer->name);
		return (EX_USAGE);
	}
	return (EX_OK);
}

static int
open_trace(struct importing *x)
{
	int fd = open(x->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd == -1 || fstat(fd, &st) == -1 || S_ISDIR(st.st_mode)) {
		if (fd != -1 && errno == 0)
			errno = EISDIR;
		log_warn("%s", x->path);
		if (fd != -1)
			close(fd);
		return (errno == EACCES ? EX_NOPERM : EX_NOINPUT);
	}
	x->mode = st.st_mode & 0666;
	if ((x->lines = lines_open(fd)) == NULL)
		return (failed(x->path));
	if (x->importer == NULL)
		x->importer = importer_for(x->lines);
	if (x->importer != NULL)
		return (EX_OK);
	/* a reader of any kind says best what is wrong with it */
	x->importer = x->ntables > 0 ? importer_named("records") : NULL;
	if (x->importer != NULL)
		return (EX_OK);
	log_warnx("%s: %s, expected a trace in a format that monitorctl import "
		  "--help lists, or --format",
	    x->path, st.st_size == 0 ? "it has 0 bytes" : "it looks like none");
	return (EX_DATAERR);
}

static int
import_all(struct importing *x)
{
	int code;

	if (access(x->out_path, F_OK) == 0) {
		log_warnx("%s is there already; name another with -o",
		    x->out_path);
		return (EX_CANTCREAT);
	}
	if ((code = open_trace(x)) != EX_OK || (code = read_tables(x)) != EX_OK)
		return (code);
	if ((x->im.made = imported_new()) == NULL)
		return (failed(x->path));
	if (x->importer->read(&x->im, x->lines) == -1)
		return (x->told ? EX_DATAERR : failed(x->path));
	if (x->im.made->n == 0) {
		if (!x->told)
			log_warnx("%s: no record of it makes an event",
			    x->path);
		return (EX_DATAERR);
	}
	if (write_log(x) == -1) {
		code = x->out == NULL ? EX_CANTCREAT : EX_IOERR;
		log_warn("%s", x->out_path);
		return (code);
	}
	tell(x);
	return (x->im.refused > 0 ? EX_DATAERR : EX_OK);
}

/* --- the command --- */

static void
list_formats(void)
{
	const struct importer *i;

	puts("formats:");
	for (size_t n = 0; (i = importer_at(n)) != NULL; n++)
		printf("  %-8s %s\n", i->name, i->what);
}

/* -1: it is not what it should be, and that has been said. */
static int
option(struct importing *x, int c, const char *value)
{
	if (c == 'F' && (x->importer = importer_named(value)) == NULL)
		log_warnx("import: there is no format %s; monitorctl import "
			  "--help lists them",
		    value);
	else if (c == 'u' && records_unit(value) == 0)
		log_warnx("import: --unit: %s is none of s, ms, us and ns",
		    value);
	else if (c == 'r' && x->ntables == TABLES_MAX)
		log_warnx("import: --records: expected no more than %d",
		    TABLES_MAX);
	else if ((c == 'r' && text_arg("import: --records", value) == -1) ||
		 (c == 'o' && text_arg("import: --output", value) == -1))
		return (-1);
	else {
		if (c == 'u')
			x->im.unit = value;
		if (c == 'r')
			x->tables[x->ntables++] = value;
		if (c == 'o')
			x->out_path = value;
		if (c == 'k')
			x->im.keep = true;
		return (0);
	}
	return (-1);
}

static int
options(struct importing *x, int argc, char **argv, int *code)
{
	static const struct option known[] = {
		{ "format", required_argument, NULL, 'F' },
		{ "records", required_argument, NULL, 'r' },
		{ "unit", required_argument, NULL, 'u' },
		{ "keep", no_argument, NULL, 'k' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "ho:", known, NULL)) != -1) {
		if (strchr("Fruko", c) == NULL) {
			*code = option_of("import", c, argv);
			if (c == 'h')
				list_formats();
			return (-1);
		}
		*code = EX_USAGE;
		if (option(x, c, optarg) == -1)
			return (-1);
	}
	if (argc - optind == 1 && x->out_path != NULL) {
		x->path = argv[optind];
		return (0);
	}
	if (argc - optind == 1)
		log_warnx("import: where to?  Say -o LOG");
	*code = argc - optind == 1 ? EX_USAGE : usage_of("import", false);
	return (-1);
}

int
import_run(const struct globals *g, int argc, char **argv)
{
	struct importing x = { .im = { .complain = complain } };
	int code;

	(void)g;
	x.im.arg = &x;
	if (options(&x, argc, argv, &code) == -1)
		return (code);
	code = import_all(&x);
	logout_free(x.out);
	lines_close(x.lines);
	records_free(x.im.records);
	imported_free(x.im.made);
	return (code);
}

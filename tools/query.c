/*
 * monitorctl query: SQL over a log.
 *
 * The database is in memory and holds only what the log defines; the rest
 * comes out of the log while the query asks for it (query/logtables.h).  A
 * query reads and does nothing else, and ends when somebody wants it to.
 */
#include "query/logtables.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "export/tables.h"
#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"
#include "tools/query/rowsout.h"

#define ASK_EVERY     1000 /* steps of SQLite between two questions */
#define SQL_BYTES_MAX ((size_t)1 << 20)

struct query {
	struct tracefile *tf;
	struct defs *defs;
	struct msg_receipt receipt;
	struct export_of of;
	struct logtables tables;
	sqlite3 *db;
	enum rowsout_form form;
	const char *file; /* of the query; NULL: an argument */
	char *sql;
};

static volatile sig_atomic_t interrupted;
static int64_t deadline_ns; /* 0: none */

static void
interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
}

static bool
stop(void)
{
	return (
	    interrupted != 0 || (deadline_ns != 0 && now_ns() >= deadline_ns));
}

static int
progress(void *arg)
{
	(void)arg;
	return (stop());
}

/* What a query may do: read, and call functions. */
static int
allowed(void *arg, int action, const char *a, const char *b, const char *c,
    const char *d)
{
	(void)arg;
	(void)a;
	(void)c;
	(void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return (SQLITE_OK);
	case SQLITE_FUNCTION:
		return (b != NULL && strcmp(b, "load_extension") == 0
			    ? SQLITE_DENY
			    : SQLITE_OK);
	default:
		return (SQLITE_DENY);
	}
}

/* An exit code for what SQLite says, having said it. */
static int
said(const struct query *q, int code)
{
	switch (code & 0xff) {
	case SQLITE_NOMEM:
		log_warnx("query: out of memory");
		return (EX_OSERR);
	case SQLITE_INTERRUPT:
		log_warnx("query: %s",
		    interrupted != 0 ? "stopped"
				     : "not done when its --timeout was over");
		return (EX_TEMPFAIL);
	case SQLITE_IOERR:
		log_warnx("query: cannot read the log");
		return (EX_IOERR);
	case SQLITE_AUTH:
		log_warnx("query: %s: a query only reads (SELECT)",
		    sqlite3_errmsg(q->db));
		return (EX_USAGE);
	default:
		log_warnx("query: %s", sqlite3_errmsg(q->db));
		return (EX_USAGE);
	}
}

static int
put_rows(struct query *q, sqlite3_stmt *stmt)
{
	struct rowsout *out = rowsout_new(q->form, stmt);
	int code = EX_OK, rc = SQLITE_DONE;

	if (out == NULL)
		return (said(q, SQLITE_NOMEM));
	while (code == EX_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (rowsout_row(out) == -1)
			code = ferror(stdout) ? EX_IOERR : EX_OSERR;
	if (rowsout_end(out, rc == SQLITE_DONE) == -1 && code == EX_OK)
		code = ferror(stdout) ? EX_IOERR : EX_OSERR;
	if (code != EX_OK)
		log_warn("query");
	else if (rc != SQLITE_DONE)
		code = said(q, rc);
	return (code);
}

/* Each statement. */
static int
run(struct query *q)
{
	const char *sql = q->sql;
	sqlite3_stmt *stmt;
	int code = EX_OK, rc;
	bool any = false;

	while (code == EX_OK && *sql != '\0') {
		rc = sqlite3_prepare_v2(q->db, sql, -1, &stmt, &sql);
		if (rc != SQLITE_OK)
			return (said(q, rc));
		if (stmt == NULL) /* a comment, or nothing */
			continue;
		any = true;
		code = put_rows(q, stmt);
		(void)sqlite3_finalize(stmt);
	}
	if (any || code != EX_OK)
		return (code);
	log_warnx("query: it is empty; expected a SELECT");
	return (EX_USAGE);
}

static void
catch_interrupt(void)
{
	struct sigaction sa = { .sa_handler = interrupt };

	sa.sa_flags =
	    (int)(SA_RESETHAND | SA_RESTART); /* once more ends us at once */
	(void)sigaction(SIGINT, &sa, NULL);
}

static double
events_of(struct tracefile *tf)
{
	const struct tracefile_entry *entry;
	double events = 0;
	size_t n = 0;

	if ((entry = tracefile_index(tf, &n)) == NULL)
		return (1);
	for (size_t i = 0; i < n; i++)
		events += entry[i].events;
	return (events + 1);
}

static int
open_tables(struct query *q)
{
	int rc;

	q->of = (struct export_of){ .defs = q->defs,
		.run = tracefile_run(q->tf),
		.from_mon_ns = INT64_MIN };
	if (tracefile_receipt(q->tf, &q->receipt) == 1)
		q->of.receipt = &q->receipt;
	q->tables = (struct logtables){ .tf = q->tf,
		.of = &q->of,
		.stop = stop,
		.events = events_of(q->tf) };
	if ((rc = sqlite3_open_v2(":memory:", &q->db,
		 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) !=
		SQLITE_OK ||
	    (rc = logtables_make(q->db, &q->tables)) != SQLITE_OK)
		return (q->db == NULL ? said(q, SQLITE_NOMEM) : said(q, rc));
	sqlite3_progress_handler(q->db, ASK_EVERY, progress, NULL);
	(void)sqlite3_set_authorizer(q->db, allowed, NULL);
	return (EX_OK);
}

static int
query_log(struct query *q)
{
	uint64_t damaged;
	int code;

	if ((q->defs = log_defs(q->tf)) == NULL)
		return (EX_OSERR);
	catch_interrupt();
	code = open_tables(q);
	if (code == EX_OK)
		code = run(q);
	if ((damaged = tracefile_damaged_bytes(q->tf)) > 0)
		log_warnx("%" PRIu64 " damaged bytes were skipped", damaged);
	return (code == EX_OK && damaged > 0 ? EX_DATAERR : code);
}

/* --- the command --- */

static void
list_tables(void)
{
	puts("tables (views: messages, own_KIND), times in ns of the run's clock:");
	for (enum table t = 0; t < TABLES; t++) {
		printf("  %s: ", tables[t].name);
		/* names without their types */
		for (const char *p = tables[t].columns; p != NULL;) {
			printf("%.*s", (int)strcspn(p, " "), p);
			p = strchr(p, ',');
			if (p != NULL) {
				fputs(", ", stdout);
				p += 2;
			}
		}
		printf("\n\t%s\n", tables[t].what);
	}
}

static int
timeout_arg(const char *value)
{
	int64_t ns;

	if (seconds_arg(value, &ns) == -1 || ns <= 0) {
		log_warnx("query: --timeout: %s is no number of seconds; see "
			  "monitorctl query --help",
		    value);
		return (-1);
	}
	deadline_ns = now_ns() + ns;
	return (0);
}

/* The query out of a file; -1 with *code, having said why. */
static int
read_query(struct query *q, int *code)
{
	int fd = open(q->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t n = 0;
	ssize_t got = 0;

	*code = EX_NOINPUT;
	if (fd == -1 || (q->sql = malloc(SQL_BYTES_MAX + 1)) == NULL) {
		log_warn("query: --file %s", q->file);
		if (fd != -1)
			close(fd);
		return (-1);
	}
	while (n < SQL_BYTES_MAX &&
	       (got = read(fd, q->sql + n, SQL_BYTES_MAX - n)) > 0)
		n += (size_t)got;
	close(fd);
	q->sql[n] = '\0';
	if (got == 0 && memchr(q->sql, '\0', n) == NULL)
		return (0);
	*code = EX_DATAERR;
	log_warnx("query: --file %s: expected up to 1 MB of text", q->file);
	return (-1);
}

static int
options(struct query *q, int argc, char **argv, int *code)
{
	static const struct option known[] = {
		{ "csv", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "file", required_argument, NULL, 'f' },
		{ "timeout", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", known, NULL)) != -1) {
		if (strchr("cjft", c) == NULL) {
			*code = option_of("query", c, argv);
			if (c == 'h')
				list_tables();
			return (-1);
		}
		*code = EX_USAGE;
		if (c == 't' && timeout_arg(optarg) == -1)
			return (-1);
		if (c == 'f' && text_arg("query: --file", optarg) == -1)
			return (-1);
		if (c == 'f')
			q->file = optarg;
		if (c == 'c' || c == 'j')
			q->form = c == 'c' ? ROWSOUT_CSV : ROWSOUT_JSON;
	}
	if (argc - optind == (q->file == NULL ? 2 : 1)) {
		if (q->file != NULL)
			return (read_query(q, code));
		q->sql = strdup(argv[optind + 1]);
		*code = EX_OSERR;
		return (q->sql == NULL ? -1 : 0);
	}
	*code = usage_of("query", false);
	return (-1);
}

int
query_run(const struct globals *g, int argc, char **argv)
{
	struct query q = { .form = ROWSOUT_TABLE };
	int code;

	(void)g;
	deadline_ns = 0;
	if (options(&q, argc, argv, &code) == 0 &&
	    (q.tf = log_open(argv[optind], &code)) != NULL)
		code = query_log(&q);
	(void)sqlite3_close(q.db);
	defs_free(q.defs);
	tracefile_close(q.tf);
	free(q.sql);
	return (code);
}

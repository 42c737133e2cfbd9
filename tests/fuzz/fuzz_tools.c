/*
 * A log by anybody, in the hands of monitorctl: the commands that read one are
 * run as its table runs them, options and all.  A script in the log says which
 * and how; a log without one gets all of them, each as it is without options.
 *
 * What they print goes nowhere; refit may write its log into memory.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"
#include "tests/fuzz/frames.h"
#include "tools/monitorctl.h"

#define WORDS_MAX 10

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
size_t LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);

/* Where memory came from is told by a run of its own. */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=0:quarantine_size_mb=1:"
		"max_malloc_fill_size=64");
}

static char path[64], out_path[64];
static int log_fd;

struct words {
	char *word[WORDS_MAX + 1];
	char text[WORDS_MAX][64];
	int n;
};

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return (frames_mutate(data, n, max, seed));
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_init("fuzz", -1);
	log_fd = memfd_create("log", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log_fd);
	snprintf(out_path, sizeof(out_path), "/dev/shm/fuzz_tools.%d.orr",
	    (int)getpid());
	if (log_fd == -1 || freopen("/dev/null", "w", stdout) == NULL)
		abort();
	setenv("TZ", "UTC", 1);
	return (0);
}

static void
say(struct words *w, const char *word)
{
	if (w->n == WORDS_MAX)
		return;
	snprintf(w->text[w->n], sizeof(w->text[0]), "%s", word);
	w->word[w->n] = w->text[w->n];
	w->word[++w->n] = NULL;
}

/* NODE/PO.THREAD, and :SEQ or @SECONDS */
static void
say_event(struct words *w, struct script *s)
{
	static const char *const node[] = { "n1", "n0", "n2", "monitord" };
	char text[64];
	unsigned of = script_byte(s);

	snprintf(text, sizeof(text), "%s/%u.%u%c%" PRId64, node[of % 4],
	    1 + of / 4 % 4, 1 + of / 16 % 4, of >= 128 ? '@' : ':',
	    script_number(s));
	say(w, text);
}

static void
say_number(struct words *w, const char *option, struct script *s)
{
	char text[32];

	say(w, option);
	snprintf(text, sizeof(text), "%" PRId64, script_number(s));
	say(w, text);
}

static void
dump_words(struct words *w, struct script *s)
{
	unsigned how = script_byte(s);

	if (how & 1)
		say(w, "--raw");
	if (how & 2)
		say(w, "--names");
	if (how & 4)
		say_number(w, "--from", s);
	if (how & 8)
		say_number(w, "--to", s);
	if (how & 16)
		say(w, "--node=n1");
	if (how & 32)
		say(w, "--kind=send,receive,note");
	say(w, path);
}

static void
report_words(struct words *w, struct script *s)
{
	unsigned how = script_byte(s) % 4;

	if (how % 2 == 1)
		say(w, how == 1 ? "--yaml" : "--json");
	say(w, path);
}

static void
check_words(struct words *w, struct script *s)
{
	unsigned how = script_byte(s) % 4;

	if (how % 2 == 1)
		say(w, how == 1 ? "--unfinished" : "--json");
	say(w, path);
}

static void
before_words(struct words *w, struct script *s)
{
	say(w, path);
	say_event(w, s);
	say_event(w, s);
}

static void
cut_words(struct words *w, struct script *s)
{
	if (script_byte(s) % 2 == 1)
		say(w, "--tsv");
	say(w, path);
	say_event(w, s);
}

static void
refit_words(struct words *w, struct script *s)
{
	unsigned how = script_byte(s);

	if (how & 1)
		say(w, "--pings-only");
	if (how & 2) {
		say(w, "-o");
		say(w, out_path);
	}
	say(w, path);
}

static void
export_words(struct words *w, struct script *s)
{
	static const char *const format[] = { "chrome", "csv", "paje",
		"speedscope", "folded" };
	/* a file and a folder have to go somewhere: every 64th */
	static const char *const file[] = { "sqlite", "ctf" };
	unsigned how = script_byte(s);

	say(w, "--format");
	say(w, how % 64 == 63 ? file[how / 128] : format[how % 5]);
	if (how % 64 == 63) {
		say(w, "-o");
		say(w, out_path);
	}
	if (how & 16)
		say_number(w, "--from", s);
	if (how & 32)
		say_number(w, "--to", s);
	if (how & 64)
		say(w, "--node=n1");
	say(w, path);
}

static void
query_words(struct words *w, struct script *s)
{
	static const char *const sql[] = { "SELECT * FROM events",
		"SELECT sum(duration_ns), name FROM spans GROUP BY name",
		"SELECT * FROM links WHERE kind = 'send'",
		"SELECT lock, max(to_ns) FROM holds",
		"SELECT * FROM events WHERE t_mon_ns < 9000",
		"SELECT place, c FROM events JOIN threads USING(location)",
		"SELECT * FROM names, processes, nodes LIMIT 99",
		"SELECT * FROM messages, runs, kinds LIMIT 99" };
	unsigned how = script_byte(s);

	if (how & 8)
		say(w, how & 16 ? "--csv" : "--json");
	say(w, path);
	say(w, sql[how % 8]);
}

static const struct tool {
	const char *name;
	command_run *run;
	void (*words)(struct words *, struct script *);
} tools[] = {
	{ "dump", dump_run, dump_words },
	{ "report", report_run, report_words },
	{ "check", check_run, check_words },
	{ "before", before_run, before_words },
	{ "past", past_run, cut_words },
	{ "future", future_run, cut_words },
	{ "refit", refit_run, refit_words },
	{ "export", export_run, export_words },
	{ "query", query_run, query_words },
};
#define TOOLS (sizeof(tools) / sizeof(tools[0]))

/* A file, or a folder of two. */
static void
remove_export(void)
{
	static const char *const in[] = { "events", "metadata" };
	char name[96];

	if (unlink(out_path) == 0 || errno == ENOENT)
		return;
	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++) {
		snprintf(name, sizeof(name), "%s/%s", out_path, in[i]);
		(void)unlink(name);
	}
	(void)rmdir(out_path);
}

static void
run(const struct tool *t, struct script *s)
{
	static const struct globals g;
	struct words w = { .n = 0 };

	say(&w, t->name);
	t->words(&w, s);
	optind = 0; /* starts getopt anew */
	(void)t->run(&g, w.n, w.word);
	if (t->run == refit_run)
		(void)unlink(out_path);
	if (t->run == export_run)
		remove_export();
}

/* SQLite needs some milliseconds to begin with: it is asked now and then. */
static const struct tool *
chosen(struct script *s)
{
	unsigned what = script_byte(s);
	const struct tool *t = &tools[what % TOOLS];

	if (t->run == query_run && what / TOOLS % 16 != 0)
		t = &tools[what / TOOLS % (TOOLS - 1)];
	return (t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct script s = frames_script(data, n);

	if (ftruncate(log_fd, 0) == -1 ||
	    pwrite(log_fd, data, n, 0) != (ssize_t)n)
		abort();
	if (s.p == s.end)
		for (size_t i = 0; i < TOOLS; i++)
			run(&tools[i], &s);
	else
		run(chosen(&s), &s);
	return (0);
}

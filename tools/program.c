/*
 * monitorctl program: what a program is made of, and how often a run has called
 * its functions.
 *
 * The argument is a log or a program.  Of a log it is the programs that have
 * been in the run, by their files, if these still have the build id that the
 * log says; of what is not here any more there is what the log has: libraries,
 * commands, and the functions that were called.
 */
#include "tools/report/program.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"

static bool
is_elf(const char *path)
{
	char head[SELFMAG] = "";
	FILE *f = fopen(path, "re");
	bool is = f != NULL && fread(head, sizeof(head), 1, f) == 1 &&
		  memcmp(head, ELFMAG, SELFMAG) == 0;

	if (f != NULL)
		fclose(f);
	return (is);
}

/* The file by which a PO is this program: the first that is mapped. */
static const struct def_module *
main_of(const struct defs *d, const struct def_module *m)
{
	for (const struct def_module *o = defs_modules(d); o != NULL;
	     o = o->next)
		if (o->node == m->node && o->po == m->po)
			return (o);
	return (NULL);
}

static struct told *
told_find(struct tolds *t, const struct def_module *m)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->told[i].path, m->path) == 0 &&
		    strcmp(t->told[i].build_id, m->build_id) == 0)
			return (&t->told[i]);
	return (NULL);
}

static struct told *
told_new(struct tolds *t, const char *path, const char *build_id)
{
	struct told *more = reallocarray(t->told, t->n + 1, sizeof(*t->told));

	if (more == NULL)
		return (NULL);
	t->told = more;
	more = &t->told[t->n++];
	*more = (struct told){ .path = path, .build_id = build_id };
	return (more);
}

/* A text of the log, if it is not there yet. */
static int
list_add(struct told_list *l, const char *text)
{
	const char **more;

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->text[i], text) == 0)
			return (0);
	more = reallocarray(l->text, l->n + 1, sizeof(*more));
	if (more == NULL)
		return (-1);
	l->text = more;
	l->text[l->n++] = text;
	return (0);
}

static int
told_of_log(struct tolds *t, const struct defs *d)
{
	for (const struct def_module *m = defs_modules(d); m != NULL;
	     m = m->next) {
		const struct def_module *first = main_of(d, m);
		const struct def_po *po = defs_po(d, m->node, m->po);
		struct told *at = told_find(t, first);

		if (at == NULL)
			at = told_new(t, first->path, first->build_id);
		if (at == NULL)
			return (-1);
		if (m == first) {
			at->processes++;
			if (po != NULL &&
			    list_add(&at->commands, po->command) == -1)
				return (-1);
			if (at->program == NULL && po != NULL)
				at->program = po->program;
		} else if (list_add(&at->libraries, m->path) == -1) {
			return (-1);
		}
	}
	return (0);
}

/* How often each name has been entered. */
struct counted {
	const struct defs *defs;
	uint64_t *calls; /* by name */
	uint32_t names;
};

static int
count_event(void *arg, const struct event *e)
{
	struct counted *c = arg;

	if (e->kind == EV_enter && e->c <= c->names)
		c->calls[e->c]++;
	return (0);
}

/* Is this function what a name of the log means? */
static bool
is_of(const struct program_function *f, const struct def_name *n)
{
	uint32_t line = n->symbol != NULL && n->symbol->first != 0
			    ? n->symbol->first
			    : n->line;

	return (strcmp(f->name, n->text) == 0 &&
		(line == 0 || f->first == 0 ||
		    (line >= f->first && line <= f->last)));
}

static int
by_name(const void *a, const void *b, void *arg)
{
	const struct program *p = arg;

	return (strcmp(p->functions[*(const uint32_t *)a].name,
	    p->functions[*(const uint32_t *)b].name));
}

/* The first of that name in order; n: none has it. */
static size_t
first_of(const struct program *p, const uint32_t *order, const char *name)
{
	size_t low = 0, high = p->nfunctions;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(p->functions[order[mid]].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return (low);
}

static void
give_calls(struct told *t, const struct counted *c, const uint32_t *order)
{
	const struct program *p = t->p;

	for (uint32_t i = 1; i <= c->names; i++) {
		const struct def_name *n = defs_name(c->defs, i);
		size_t at;

		if (n == NULL || c->calls[i] == 0)
			continue;
		for (at = first_of(p, order, n->text);
		     at < p->nfunctions &&
		     strcmp(p->functions[order[at]].name, n->text) == 0;
		     at++)
			if (is_of(&p->functions[order[at]], n)) {
				t->calls[order[at]] += c->calls[i];
				break;
			}
	}
}

static int
told_calls(struct told *t, const struct counted *c)
{
	size_t n = t->p->nfunctions;
	uint32_t *order = calloc(n + 1, sizeof(*order));

	t->calls = calloc(n + 1, sizeof(*t->calls));
	if (order == NULL || t->calls == NULL) {
		free(order);
		return (-1);
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n > 0)
		qsort_r(order, n, sizeof(*order), by_name, t->p);
	give_calls(t, c, order);
	free(order);
	return (0);
}

static void
tolds_clear(struct tolds *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->told[i].commands.text);
		free(t->told[i].libraries.text);
		free(t->told[i].calls);
		program_free(t->told[i].p);
	}
	free(t->told);
}

/* Reads the files and prints; c NULL: there is no run. */
static int
tell(struct tolds *t, const struct counted *c, enum doc_form form)
{
	for (size_t i = 0; i < t->n; i++) {
		struct told *at = &t->told[i];

		at->p = program_read(at->path, at->build_id, &at->why);
		if (c != NULL && at->p != NULL && told_calls(at, c) == -1) {
			log_warn("program");
			return (EX_OSERR);
		}
	}
	if (c == NULL && t->told[0].p == NULL) {
		log_warnx("%s: %s", t->told[0].path, t->told[0].why);
		return (EX_DATAERR);
	}
	if (form == DOC_NONE)
		program_print(stdout, t);
	else
		program_doc(stdout, t, form);
	return (EX_OK);
}

static int
of_program(const char *path, enum doc_form form)
{
	struct tolds t = { .log = false };
	int code = EX_OSERR;

	if (told_new(&t, path, "") == NULL)
		log_warn("program");
	else
		code = tell(&t, NULL, form);
	tolds_clear(&t);
	return (code);
}

static int
of_log(struct tracefile *tf, enum doc_form form)
{
	static const struct trace_sink sink = { .event = count_event };
	struct tolds t = { .log = true };
	struct counted c = { .defs = log_defs(tf) };
	int code = EX_OSERR;

	if (c.defs == NULL)
		return (EX_OSERR);
	c.names = defs_names(c.defs);
	c.calls = calloc((size_t)c.names + 1, sizeof(*c.calls));
	if (c.calls == NULL || told_of_log(&t, c.defs) == -1 ||
	    tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, &c) == -1) {
		log_warn("program");
		goto out;
	}
	t.defs = c.defs;
	t.entered = c.calls;
	if (t.n == 0) {
		log_warnx("the log has no program whose code is known: older "
			  "collectors do not tell");
		code = EX_DATAERR;
	} else {
		code = tell(&t, &c, form);
	}
out:
	tolds_clear(&t);
	free(c.calls);
	defs_free((struct defs *)(uintptr_t)c.defs);
	return (code);
}

int
program_run(const struct globals *g, int argc, char **argv)
{
	struct tracefile *tf;
	enum doc_form form;
	const char *file;
	int code;

	(void)g;
	if ((file = file_of("program", argc, argv, &form, &code)) == NULL)
		return (code);
	if (is_elf(file))
		return (of_program(file, form));
	if ((tf = log_open(file, &code)) == NULL)
		return (code);
	code = of_log(tf, form);
	tracefile_close(tf);
	return (code);
}

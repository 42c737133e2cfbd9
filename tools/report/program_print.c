/*
 * What a program is made of, for people and, with keys that do not change, for
 * programs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "program.h"

#define TEXT_BYTES 4096

/* Texts of a file may hold anything. */
static const char *
shown(const char *s)
{
	static char buf[4][PLAIN_BYTES(TEXT_BYTES)];
	static unsigned turn;
	char *to = buf[turn++ % 4];

	plain(to, PLAIN_BYTES(TEXT_BYTES), s, strnlen(s, TEXT_BYTES));
	return (to);
}

static void
print_function(FILE *f, const struct told *t, uint32_t i)
{
	const struct program_function *fn = &t->p->functions[i];

	if (t->calls == NULL)
		fprintf(f, "  ");
	else if (t->calls[i] == 0)
		fprintf(f, "  %10s  ", "-");
	else
		fprintf(f, "  %10" PRIu64 "  ", t->calls[i]);
	if (fn->first > 0)
		fprintf(f, "%5" PRIu32 "-%-5" PRIu32, fn->first, fn->last);
	else
		fprintf(f, "%11s", "");
	fprintf(f, " %7" PRIu64 "  %s", fn->bytes,
	    shown(*fn->signature != '\0' ? fn->signature : fn->name));
	for (uint32_t k = 0; k < fn->ncalls; k++)
		fprintf(f, "%s%s", k == 0 ? "  -> " : ", ",
		    shown(t->p->functions[fn->calls[k]].name));
	fprintf(f, "\n");
}

static void
print_functions(FILE *f, const struct told *t)
{
	const struct program *p = t->p;
	const char *file = NULL;
	size_t never = 0;

	for (size_t i = 0; t->calls != NULL && i < p->nfunctions; i++)
		never += t->calls[i] == 0;
	fprintf(f, "\n%zu functions", p->nfunctions);
	if (t->calls != NULL)
		fprintf(f, ", %zu of them without a call in the log", never);
	fprintf(f, "\n  %slines         bytes  signature -> what it calls\n",
	    t->calls != NULL ? "     calls  " : "");
	for (uint32_t i = 0; i < p->nfunctions; i++) {
		if (file == NULL || strcmp(file, p->functions[i].file) != 0) {
			file = p->functions[i].file;
			fprintf(f, " %s\n",
			    *file == '\0' ? "(no source file is known)"
					  : shown(file));
		}
		print_function(f, t, i);
	}
}

static bool
ends_in_star(const char *s)
{
	size_t n = strlen(s);

	return (n > 0 && s[n - 1] == '*');
}

static void
print_type(FILE *f, const struct program_type *t)
{
	fprintf(f, "  %s %s", t->kind, shown(t->name));
	for (uint32_t i = 0; i < t->nbases; i++)
		fprintf(f, "%s%s", i == 0 ? " : " : ", ",
		    shown(t->bases[i].name));
	fprintf(f, "  %" PRIu64 " bytes", t->bytes);
	if (t->methods > 0)
		fprintf(f, ", %" PRIu32 " member functions", t->methods);
	if (*t->file != '\0')
		fprintf(f, "  %s:%" PRIu32, shown(t->file), t->line);
	fprintf(f, "\n");
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const struct program_member *m = &t->members[i];

		if (m->at_bytes >= 0)
			fprintf(f, "    %6" PRId64, m->at_bytes);
		else
			fprintf(f, "    %6s", "static");
		fprintf(f, " %6" PRIu64 "  %s%s%s", m->bytes,
		    strcmp(m->access, "public") == 0 ? "" : m->access,
		    strcmp(m->access, "public") == 0 ? "" : " ",
		    shown(m->type));
		fprintf(f, "%s%s", ends_in_star(m->type) ? "" : " ",
		    shown(m->name));
		if (m->bits > 0)
			fprintf(f, " : %" PRIu64, m->bits);
		fprintf(f, "\n");
	}
}

static void
print_list(FILE *f, const char *what, const char *const *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%-10s %s\n", i == 0 ? what : "", shown(text[i]));
}

static void
print_head(FILE *f, const struct told *t)
{
	const struct program *p = t->p;

	fprintf(f, "program    %s\n", shown(t->path));
	fprintf(f, "build id   %s\n",
	    *t->build_id != '\0'                  ? shown(t->build_id)
	    : p != NULL && p->build_id[0] != '\0' ? p->build_id
						  : "none");
	if (t->processes > 0)
		fprintf(f, "processes  %" PRIu64 "\n", t->processes);
	print_list(f, "command", t->commands.text, t->commands.n);
	if (t->libraries.n > 0)
		print_list(f, "libraries", t->libraries.text, t->libraries.n);
	else if (p != NULL)
		print_list(f, "libraries", p->libraries, p->nlibraries);
}

/* The file is not here: what was called is in the log. */
static void
print_called(FILE *f, const struct tolds *all)
{
	fprintf(f, "\nfunctions that were called in this run\n");
	for (uint32_t i = 1; i <= defs_names(all->defs); i++) {
		const struct def_name *n = defs_name(all->defs, i);

		if (n == NULL || all->entered[i] == 0)
			continue;
		fprintf(f, "  %10" PRIu64 "  %s", all->entered[i], n->text);
		if (n->file[0] != '\0')
			fprintf(f, "  %s:%" PRIu32, n->file, n->line);
		fprintf(f, "\n");
	}
}

void
program_print(FILE *f, const struct tolds *all)
{
	bool missing = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct told *t = &all->told[i];
		const struct program *p = t->p;

		fprintf(f, "%s", i == 0 ? "" : "\n");
		print_head(f, t);
		if (p == NULL) {
			fprintf(f, "not known  %s\n", t->why);
			missing = true;
			continue;
		}
		if (!p->debug)
			fprintf(f, "debug      there is no debug information; "
				   "compile with -g\n");
		if (p->left_out > 0)
			fprintf(f,
			    "left out   %" PRIu64
			    " functions and types, too many\n",
			    p->left_out);
		if (p->nfiles > 0)
			fprintf(f, "\n%zu files\n   lines functions  types\n",
			    p->nfiles);
		for (size_t k = 0; k < p->nfiles; k++)
			fprintf(f,
			    "  %6" PRIu32 " %9" PRIu32 " %6" PRIu32 "  %s\n",
			    p->files[k].lines, p->files[k].functions,
			    p->files[k].types, shown(p->files[k].name));
		print_functions(f, t);
		if (p->ntypes > 0)
			fprintf(f, "\n%zu classes, structs and unions\n",
			    p->ntypes);
		for (size_t k = 0; k < p->ntypes; k++)
			print_type(f, &p->types[k]);
	}
	if (missing && all->log)
		print_called(f, all);
}

static void
doc_strings(struct doc *d, const char *key, const char *const *text, size_t n)
{
	doc_list(d, key, DOC_LINES);
	for (size_t i = 0; i < n; i++)
		doc_text(d, NULL, text[i]);
	doc_end(d);
}

static void
doc_function(struct doc *d, const struct told *t, uint32_t i)
{
	const struct program_function *f = &t->p->functions[i];

	doc_map(d, NULL, DOC_ONE_LINE);
	doc_text(d, "name", f->name);
	doc_text(d, "signature", f->signature);
	doc_text(d, "file", f->file);
	doc_count(d, "first", f->first);
	doc_count(d, "last", f->last);
	doc_count(d, "address", f->address);
	doc_count(d, "bytes", f->bytes);
	doc_bool(d, "visible", f->visible);
	if (t->calls != NULL)
		doc_count(d, "called", t->calls[i]);
	doc_list(d, "calls", DOC_ONE_LINE);
	for (uint32_t k = 0; k < f->ncalls; k++)
		doc_text(d, NULL, t->p->functions[f->calls[k]].name);
	doc_end(d);
	doc_end(d);
}

static void
doc_type(struct doc *d, const struct program_type *t)
{
	doc_map(d, NULL, DOC_LINES);
	doc_text(d, "name", t->name);
	doc_text(d, "kind", t->kind);
	doc_text(d, "file", t->file);
	doc_count(d, "line", t->line);
	doc_count(d, "bytes", t->bytes);
	doc_count(d, "member_functions", t->methods);
	doc_list(d, "bases", DOC_ONE_LINE);
	for (uint32_t i = 0; i < t->nbases; i++)
		doc_text(d, NULL, t->bases[i].name);
	doc_end(d);
	doc_list(d, "members", DOC_LINES);
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const struct program_member *m = &t->members[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", m->name);
		doc_text(d, "type", m->type);
		doc_text(d, "access", m->access);
		doc_number(d, "at_bytes", m->at_bytes);
		doc_count(d, "bytes", m->bytes);
		doc_count(d, "bits", m->bits);
		doc_end(d);
	}
	doc_end(d);
	doc_end(d);
}

static void
doc_made_of(struct doc *d, const struct told *t)
{
	const struct program *p = t->p;

	doc_bool(d, "debug_information", p->debug);
	doc_count(d, "left_out", p->left_out);
	doc_list(d, "files", DOC_LINES);
	for (size_t i = 0; i < p->nfiles; i++) {
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", p->files[i].name);
		doc_count(d, "lines", p->files[i].lines);
		doc_count(d, "functions", p->files[i].functions);
		doc_count(d, "types", p->files[i].types);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "functions", DOC_LINES);
	for (uint32_t i = 0; i < p->nfunctions; i++)
		doc_function(d, t, i);
	doc_end(d);
	doc_list(d, "types", DOC_LINES);
	for (size_t i = 0; i < p->ntypes; i++)
		doc_type(d, &p->types[i]);
	doc_end(d);
}

void
program_doc(FILE *f, const struct tolds *all, enum doc_form form)
{
	struct doc d;

	doc_begin(&d, f, form);
	doc_list(&d, "programs", DOC_LINES);
	for (size_t i = 0; i < all->n; i++) {
		const struct told *t = &all->told[i];
		const struct program *p = t->p;

		doc_map(&d, NULL, DOC_LINES);
		doc_text(&d, "path", t->path);
		doc_text(&d, "build_id",
		    *t->build_id != '\0' || p == NULL ? t->build_id
						      : p->build_id);
		if (all->log)
			doc_count(&d, "processes", t->processes);
		doc_strings(&d, "commands", t->commands.text, t->commands.n);
		if (t->libraries.n > 0 || p == NULL)
			doc_strings(&d, "libraries", t->libraries.text,
			    t->libraries.n);
		else
			doc_strings(&d, "libraries", p->libraries,
			    p->nlibraries);
		if (p != NULL)
			doc_made_of(&d, t);
		else
			doc_text(&d, "not_known", t->why);
		doc_end(&d);
	}
	doc_end(&d);
	doc_finish(&d);
}

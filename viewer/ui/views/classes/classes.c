/*
 * The view Classes: what is shown of it and chosen, and all of it in words.
 */
#include "ui/views/classes/classes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/views/classes/classes_inside.h"
#include "ui/views/memory/memory.h"
#include "ui/views/view.h"

#define DESCRIBED 300

static const char *const class_way_name[CLASS_WAYS] = { "has", "points to",
	"inherits" };

struct classes *
classes_get(struct ui *ui)
{
	if (ui->figures.classes == NULL) {
		ui->figures.classes = calloc(1, sizeof(struct classes));
		if (ui->figures.classes != NULL)
			ui->figures.classes->selected = CLASS_NONE;
	}
	return (ui->figures.classes);
}

void
classes_free(struct ui *ui)
{
	struct classes *c = ui->figures.classes;

	if (c == NULL)
		return;
	classes_clear(c);
	classes_read_free(c);
	free(c);
	ui->figures.classes = NULL;
}

static void
look(struct ui *ui, struct classes *c, bool wait)
{
	if (classes_read(ui, c, wait) && classes_make(c) == -1)
		desk_fail(ui, "no memory for the classes of the run");
}

bool
classes_prepare(struct ui *ui)
{
	struct classes *c = ui->model == NULL ? NULL : classes_get(ui);

	if (c == NULL)
		return (true);
	look(ui, c, ui->picture->stop_cb == NULL);
	if (!sums_prepare(ui, &ui->figures.sums, UINT32_MAX) ||
	    (model_heap_events(ui->model) > 0 && !memory_prepare(ui)))
		return (false);
	classes_sum(ui, c);
	ui->picture->undone |= classes_reading(c);
	return (true);
}

bool
class_is_po(const struct class *k)
{
	return (k->objects > 0 || k->serves);
}

int64_t
class_time_ns(const struct classes *c, const struct class_sum *s)
{
	return (c->sampled ? (int64_t)s->cpu_ns : s->ran_ns);
}

char *
class_words(const struct class *k, char *buf, size_t n)
{
	snprintf(buf, n, "%s %s", k->is->kind, k->is->name);
	return (buf);
}

const char *
class_text(const char *s)
{
	return (parse_text_ok(s) ? s : "?");
}

/* --- which --- */

bool
class_shown(const struct classes *c, uint32_t i)
{
	return (c->libraries || !c->class[i].library);
}

uint32_t
class_step(const struct classes *c, uint32_t from, int step)
{
	uint32_t n = c->n;

	for (uint32_t k = 1; k <= n; k++) {
		uint32_t i = from >= n  ? (step > 0 ? k - 1 : n - k)
			     : step > 0 ? (from + k) % n
					: (from + n - k) % n;

		if (class_shown(c, i))
			return (i);
	}
	return (CLASS_NONE);
}

/* Without "struct" and the like; of several the one with most functions. */
static uint32_t
find(const struct classes *c, const char *name)
{
	static const char *const kinds[] = { "struct ", "class ", "union " };
	uint32_t best = CLASS_NONE;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
			name += strlen(kinds[i]);
	for (uint32_t i = 0; i < c->n; i++)
		if (strcmp(c->class[i].is->name, name) == 0 &&
		    (best == CLASS_NONE ||
			c->class[i].functions > c->class[best].functions))
			best = i;
	return (best);
}

int
classes_select(struct ui *ui, const char *name)
{
	struct classes *c = ui->model == NULL ? NULL : classes_get(ui);
	uint64_t number;
	uint32_t i;

	if (c == NULL)
		return (desk_fail(ui, "there is no run yet"));
	i = name[0] == '\0' ? CLASS_NONE : find(c, name);
	if (i == CLASS_NONE && name[0] != '\0') {
		look(ui, c, true); /* who asks for it waits for it */
		i = find(c, name);
	}
	if (i == CLASS_NONE && name[0] == '#' &&
	    parse_number(name + 1, &number) == 0 && number < c->n)
		i = (uint32_t)number;
	if (i == CLASS_NONE && name[0] != '\0')
		return (desk_fail(ui,
		    "no program of this run has a class %.120s", name));
	c->selected = i;
	if (i != CLASS_NONE && c->class[i].library)
		c->libraries = true;
	picture_changed(ui->picture);
	return (0);
}

const char *
classes_place(struct ui *ui, const char *which, char *buf, size_t n)
{
	const struct classes *c = ui->figures.classes;
	uint64_t i = c == NULL ? CLASS_NONE : c->selected;
	const char *file = "";
	uint32_t line = 0;

	if (which[0] != '\0' && parse_number(which + 1, &i) == -1)
		i = CLASS_NONE;
	if (c != NULL && which[0] == '@' && i < c->functions) {
		file = c->function[i].is->file;
		line = c->function[i].is->first;
	} else if (c != NULL && which[0] != '@' && i < c->n) {
		file = c->class[i].is->file;
		line = c->class[i].is->line;
	}
	if (file[0] == '\0' || line == 0) {
		desk_fail(ui,
		    "choose a class whose place is known: classes NAME");
		return (NULL);
	}
	snprintf(buf, n, "%s:%" PRIu32, file, line);
	return (buf);
}

/* --- in words --- */

static void
say_sum(const struct ui *ui, const struct class_sum *s, FILE *f)
{
	const char *about = functions_about(ui);

	fprintf(f,
	    "%s%" PRIu64 " calls, ran %s%" PRId64 " ns, waits %s%" PRId64
	    " ns, serves %" PRIu64 "; found %" PRIu64 " times, CPU %" PRIu64
	    " ns",
	    about, s->calls, about, s->ran_ns, about, s->waits_ns, s->served,
	    s->samples, s->cpu_ns);
	if (ui->figures.classes->remembers)
		fprintf(f, "; asked for %.0f bytes, %.0f in use", s->asked,
		    s->live);
}

static void
say_class(const struct ui *ui, const struct classes *c, uint32_t i, FILE *f)
{
	const struct class *k = &c->class[i];
	char words[300];

	fprintf(f, "  %s (%s:%" PRIu32 "): %" PRIu64 " bytes, ",
	    class_words(k, words, sizeof(words)), k->is->file, k->is->line,
	    k->is->bytes);
	if (k->unused >= 0)
		fprintf(f, "%" PRId64 " unused", k->unused);
	else
		fprintf(f, "unused not known");
	fprintf(f,
	    ", %" PRIu32 " members, %" PRIu32 " functions: ", k->is->nmembers,
	    k->functions);
	say_sum(ui, &k->sum, f);
	if (k->objects > 0)
		fprintf(f, "; %" PRIu64 " objects", k->objects);
	fprintf(f, "%s%s\n", k->serves ? "; serves remote calls" : "",
	    class_is_po(k) ? "; processor object" : "");
	for (uint32_t e = 0; e < c->edges; e++)
		if (c->edge[e].from == i)
			fprintf(f, "    %s %s, %" PRIu32 "\n",
			    class_way_name[c->edge[e].way],
			    class_words(&c->class[c->edge[e].to], words,
				sizeof(words)),
			    c->edge[e].members);
	for (uint32_t n = 0; n < k->functions; n++) {
		const struct class_function *fn = &c->function[k->first + n];

		fprintf(f, "    function %s (%s:%" PRIu32 "): ", fn->is->name,
		    fn->is->file, fn->is->first);
		say_sum(ui, &fn->sum, f);
		fprintf(f, "\n");
	}
}

static void
say_programs(const struct classes *c, FILE *f)
{
	for (uint32_t i = 0; i < c->programs; i++) {
		const struct class_program *p = &c->program[i];

		fprintf(f, "  program %s: ", class_text(p->path));
		if (p->reader != NULL)
			fprintf(f, "is being read\n");
		else if (p->p == NULL)
			fprintf(f, "%s\n", p->why);
		else
			fprintf(f, "%zu classes%s\n", p->p->ntypes,
			    p->p->debug ? "" : ", no debug information");
	}
	if (c->programs_more > 0)
		fprintf(f, "  and %" PRIu32 " processes of others\n",
		    c->programs_more);
}

void
classes_describe(struct ui *ui, FILE *f)
{
	struct classes *c = ui->model == NULL ? NULL : classes_get(ui);
	uint32_t n = 0, pos = 0, said = 0;

	if (c == NULL) {
		fprintf(f, "classes: there is no run\n");
		return;
	}
	for (uint32_t i = 0; i < c->n; i++)
		if (class_shown(c, i)) {
			n++;
			pos += class_is_po(&c->class[i]);
		}
	fprintf(f,
	    "classes: %" PRIu32 " of %" PRIu32 ", %" PRIu32
	    " processor objects, time by %s\n",
	    n, c->n, pos, c->sampled ? "samples" : "calls");
	say_programs(c, f);
	for (uint32_t i = 0; i < c->n && said < DESCRIBED; i++)
		if (class_shown(c, i)) {
			say_class(ui, c, i, f);
			said++;
		}
	if (c->selected < c->n)
		class_say(ui, c->selected, f);
}

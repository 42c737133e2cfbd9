/*
 * Classes of all programs, one list.  What several of them were compiled with,
 * from a header, is there once.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/views/classes/classes.h"

static int
by_type(const void *a, const void *b)
{
	const struct program_type *x = ((const struct class *)a)->is;
	const struct program_type *y = ((const struct class *)b)->is;
	int c = strcmp(x->name, y->name);

	if (c == 0)
		c = strcmp(x->file, y->file);
	if (c == 0 && x->line != y->line)
		return (x->line < y->line ? -1 : 1);
	if (c == 0)
		return ((x->bytes > y->bytes) - (x->bytes < y->bytes));
	return (c);
}

static int
by_ends(const void *a, const void *b)
{
	const struct class_edge *x = a, *y = b;

	if (x->from != y->from)
		return (x->from < y->from ? -1 : 1);
	if (x->to != y->to)
		return (x->to < y->to ? -1 : 1);
	return (((int)x->way > (int)y->way) - ((int)x->way < (int)y->way));
}

static int
by_place(const void *a, const void *b)
{
	const struct class_function *x = a, *y = b;
	int c;

	if (x->class != y->class)
		return (x->class < y->class ? -1 : 1);
	if (x->is->first != y->is->first)
		return (x->is->first < y->is->first ? -1 : 1);
	c = strcmp(x->is->name, y->is->name);
	return (c != 0 ? c : strcmp(x->is->file, y->is->file));
}

static int
by_text(const void *a, const void *b, void *functions)
{
	const struct class_function *f = functions;

	return (strcmp(f[*(const uint32_t *)a].is->name,
	    f[*(const uint32_t *)b].is->name));
}

/* The system's headers, and the compiler's own. */
static bool
is_library(const struct program_type *t)
{
	return (strncmp(t->file, "/usr/", 5) == 0 || t->file[0] == '\0' ||
		t->file[0] == '<');
}

static int
add_types(struct classes *c, const struct program *p)
{
	struct class *more =
	    reallocarray(c->class, c->n + p->ntypes + 1, sizeof(*more));

	if (more == NULL)
		return (-1);
	c->class = more;
	for (size_t i = 0; i < p->ntypes; i++)
		if (parse_text_ok(p->types[i].name) &&
		    parse_text_ok(p->types[i].file))
			c->class[c->n++] = (struct class){
				.is = &p->types[i],
				.of = p,
				.unused = program_type_unused(&p->types[i]),
				.library = is_library(&p->types[i]),
			};
	return (0);
}

static uint32_t
class_of(const struct classes *c, const struct program *p, const char *name,
    const char *file)
{
	struct class key = { .is = NULL };
	const struct class *found;

	if (name[0] != '\0')
		key.is = program_type_find(p, name, file);
	found = key.is == NULL
		    ? NULL
		    : bsearch(&key, c->class, c->n, sizeof(key), by_type);
	return (found == NULL ? CLASS_NONE : (uint32_t)(found - c->class));
}

/* Room is there for all. */
static void
add_edge(struct classes *c, uint32_t from, const char *of, enum class_way way)
{
	const struct class *k = &c->class[from];
	uint32_t to = class_of(c, k->of, of, k->is->file);

	if (to != CLASS_NONE)
		c->edge[c->edges++] = (struct class_edge){ from, to, way, 1 };
}

static int
add_edges(struct classes *c)
{
	size_t most = 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < c->n; i++)
		most += c->class[i].is->nmembers + c->class[i].is->nbases;
	c->edge = calloc(most + 1, sizeof(*c->edge));
	if (c->edge == NULL)
		return (-1);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct program_type *t = c->class[i].is;

		for (uint32_t k = 0; k < t->nmembers; k++)
			add_edge(c, i, t->members[k].of,
			    t->members[k].points ? CLASS_POINTS : CLASS_HAS);
		for (uint32_t k = 0; k < t->nbases; k++)
			add_edge(c, i, t->bases[k].name, CLASS_INHERITS);
	}
	qsort(c->edge, c->edges, sizeof(*c->edge), by_ends);
	for (uint32_t i = 0; i < c->edges; i++)
		if (kept > 0 && by_ends(&c->edge[kept - 1], &c->edge[i]) == 0)
			c->edge[kept - 1].members++;
		else
			c->edge[kept++] = c->edge[i];
	c->edges = kept;
	return (0);
}

static int
add_functions(struct classes *c, const struct program *p)
{
	struct class_function *more = reallocarray(c->function,
	    c->functions + p->nfunctions + 1, sizeof(*more));

	if (more == NULL)
		return (-1);
	c->function = more;
	for (size_t i = 0; i < p->nfunctions; i++) {
		const struct program_function *f = &p->functions[i];
		uint32_t class = class_of(c, p, f->of, f->file);

		if (class != CLASS_NONE && parse_text_ok(f->name) &&
		    parse_text_ok(f->file))
			c->function[c->functions++] =
			    (struct class_function){ .class = class, .is = f };
	}
	return (0);
}

/* Each once, by class; and an order by name. */
static int
sort_functions(struct classes *c)
{
	uint32_t kept = 0;

	qsort(c->function, c->functions, sizeof(*c->function), by_place);
	for (uint32_t i = 0; i < c->functions; i++)
		if (kept == 0 ||
		    by_place(&c->function[kept - 1], &c->function[i]) != 0)
			c->function[kept++] = c->function[i];
	c->functions = kept;
	c->by_text = calloc((size_t)kept + 1, sizeof(*c->by_text));
	if (c->by_text == NULL)
		return (-1);
	for (uint32_t i = 0; i < kept; i++) {
		struct class *k = &c->class[c->function[i].class];

		if (k->functions++ == 0)
			k->first = i;
		c->by_text[i] = i;
	}
	qsort_r(c->by_text, kept, sizeof(*c->by_text), by_text, c->function);
	return (0);
}

static void
sort_types(struct classes *c)
{
	uint32_t kept = 0;

	qsort(c->class, c->n, sizeof(*c->class), by_type);
	for (uint32_t i = 0; i < c->n; i++)
		if (kept == 0 ||
		    by_type(&c->class[kept - 1], &c -> class[i]) != 0)
			c->class[kept++] = c->class[i];
	c->n = kept;
}

void
classes_clear(struct classes *c)
{
	free(c->class);
	free(c->edge);
	free(c->function);
	free(c->by_text);
	free(c->function_of);
	c->class = NULL;
	c->edge = NULL;
	c->function = NULL;
	c->by_text = c->function_of = NULL;
	c->n = c->edges = c->functions = c->names = 0;
	memset(&c->of, 0, sizeof(c->of));
}

int
classes_make(struct classes *c)
{
	const struct program_type *was =
	    c->selected < c->n ? c->class[c->selected].is : NULL;

	classes_clear(c);
	c->selected = CLASS_NONE;
	for (uint32_t i = 0; i < c->programs; i++)
		if (c->program[i].p != NULL &&
		    add_types(c, c->program[i].p) == -1)
			goto fail;
	if (c->n == 0)
		return (0);
	sort_types(c);
	for (uint32_t i = 0; i < c->programs; i++)
		if (c->program[i].p != NULL &&
		    add_functions(c, c->program[i].p) == -1)
			goto fail;
	if (add_functions(c, &(struct program){ 0 }) == -1 ||
	    sort_functions(c) == -1 || add_edges(c) == -1)
		goto fail;
	for (uint32_t i = 0; was != NULL && i < c->n; i++)
		if (c->class[i].is == was)
			c->selected = i;
	return (0);
fail:
	classes_clear(c);
	return (-1);
}

/* See symbols.h.  The files that were asked for last stay open. */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define MODULES 64u

struct symbols {
	struct module *modules[MODULES];
	uint64_t turn;
};

struct symbols *
symbols_new(void)
{
	return (calloc(1, sizeof(struct symbols)));
}

void
symbols_free(struct symbols *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < MODULES; i++)
		module_free(s->modules[i]);
	free(s);
}

/* NULL: ENOMEM. */
static struct module *
module_of(struct symbols *s, const char *path, const char *build_id)
{
	struct module **oldest = &s->modules[0];

	for (unsigned i = 0; i < MODULES; i++) {
		struct module **m = &s->modules[i];

		if (*m == NULL) {
			oldest = m;
			break;
		}
		if (strcmp((*m)->path, path) == 0 &&
		    strcmp((*m)->build_id, build_id) == 0) {
			(*m)->used = ++s->turn;
			return (*m);
		}
		if ((*m)->used < (*oldest)->used)
			oldest = m;
	}
	module_free(*oldest);
	*oldest = module_open(path, build_id, true);
	if (*oldest != NULL)
		(*oldest)->used = ++s->turn;
	return (*oldest);
}

unsigned
symbols_find(struct symbols *s, const char *path, const char *build_id,
    uint64_t address, struct symbols_level level[SYMBOLS_LEVELS],
    const char **why)
{
	struct module *m = module_of(s, path, build_id);
	const struct entry *e;
	unsigned n;

	*why = m == NULL ? "there is no memory" : m->why;
	if (*why != NULL)
		return (0);
	n = lines_find(m, address, level);
	if (n > 0)
		return (n);
	e = table_find(m, address);
	if (e == NULL) {
		*why = "no function is there, as far as its symbols tell";
		return (0);
	}
	memset(&level[0], 0, sizeof(level[0]));
	names_plain(e->name, e->bytes, level[0].function);
	return (1);
}

#include "tools/export/mail.h"

static int
put(struct intmap *m, uint64_t message, uint32_t location)
{
	if (intmap_reserve(m) == -1)
		return (-1);
	intmap_put(m, message, (void *)((uintptr_t)location + 1));
	return (0);
}

void
mail_clear(struct mail *m)
{
	intmap_free(&m->to);
	intmap_free(&m->from);
}

int
mail_look(struct mail *m, const struct event *e)
{
	return (e->kind == EV_receive && e->a != 0
		    ? put(&m->to, e->a, e->location)
		    : 0);
}

int
mail_other(struct mail *m, const struct event *e, uint32_t *location)
{
	bool sent = e->kind == EV_send;
	void *p;

	if (e->a == 0)
		return (0);
	p = intmap_find(sent ? &m->to : &m->from, e->a);
	if (p == NULL)
		return (0);
	*location = (uint32_t)((uintptr_t)p - 1);
	return (sent && put(&m->from, e->a, e->location) == -1 ? -1 : 1);
}

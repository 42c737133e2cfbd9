#include "tools/export/mail.h"

static int
put(struct intmap *m, uint64_t message, uint64_t value)
{
	if (intmap_reserve(m) == -1)
		return (-1);
	intmap_put(m, message, (void *)(uintptr_t)value);
	return (0);
}

void
mail_clear(struct mail *m)
{
	intmap_free(&m->to);
	intmap_free(&m->from);
	intmap_free(&m->size_bytes);
}

int
mail_look(struct mail *m, const struct event *e)
{
	return (e->kind == EV_receive && e->a != 0
		    ? put(&m->to, e->a, (uint64_t)e->location + 1)
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
	if (sent && (put(&m->from, e->a, (uint64_t)e->location + 1) == -1 ||
			(e->b != 0 && put(&m->size_bytes, e->a, e->b) == -1)))
		return (-1);
	return (1);
}

uint64_t
mail_size_bytes(const struct mail *m, uint64_t message)
{
	return ((uintptr_t)intmap_find(&m->size_bytes, message));
}

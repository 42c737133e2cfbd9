/*
 * The code of programs: where it is mapped, the names of its places, and what
 * is found out about them.
 */
#include <errno.h>
#include <inttypes.h>

#include "drain_choice.h"
#include "drain_in.h"
#include "log.h"

void
drain_places_convert(struct drain_po *dp, struct node_event *e)
{
	if (dp->places == NULL)
		return;
	if (e->c == 0 && e->a != 0)
		e->c = places_name(dp->places, e->a);
	if (e->kind == EV_enter && e->b != 0) /* the call is before it */
		places_site(dp->places, e->b - 1);
}

int
drain_places_tell(struct drain_po *dp)
{
	struct msg_name m = { .po = dp->po->number };
	const char *text;

	if (dp->places == NULL)
		return (0);
	while ((m.name = places_fresh(dp->places, &text)) != 0) {
		m.text = BYTES_STR(text);
		/* told twice is no harm, not told is */
		if (batch_add_definition(dp->d->writer, MSG_name, &m) == -1 ||
		    ident_name_new(dp->d->ident, dp->po, &m) == -1) {
			places_again(dp->places);
			return (-1);
		}
	}
	return (0);
}

void
drain_places_end(const struct drain_po *dp)
{
	uint64_t n = dp->places == NULL ? 0 : places_beyond(dp->places);

	if (n > 0)
		log_warnx("po %u (%s): it has told of more than %u places in "
			  "its code; %" PRIu64 " events of others show an "
			  "address for a name",
		    dp->po->number, dp->po->program, PLACES_MAX, n);
}

/* Those of before keep their numbers. */
static struct places *
places_of(struct drain_po *dp)
{
	if (dp->places == NULL)
		dp->places = places_new(dp->po->pid,
		    IDENT_NAME_CODE - 1 + dp->po->places);
	return (dp->places);
}

int
drain_places_again(struct drain_po *dp)
{
	const struct buf *defs = &dp->po->defs;
	struct msg_module m;
	struct frame f;

	for (size_t at = 0; at < defs->n; at += f.frame_bytes) {
		if (frame_parse(defs->p + at, defs->n - at, &f) != FRAME_OK)
			break;
		if (f.type != MSG_module ||
		    msg_decode(f.type, f.body, f.body_bytes, &m) == -1)
			continue;
		if (places_of(dp) == NULL ||
		    places_module(dp->places, &m) == -1)
			return (-1);
	}
	return (0);
}

int
drain_module(struct drain_po *dp, const struct msg_module *m)
{
	struct msg_module of_po = *m;
	int rc;

	of_po.node = 0;
	of_po.po = dp->po->number;
	if (places_of(dp) == NULL)
		return (-1);
	rc = places_module(dp->places, &of_po);
	if (rc != 1)
		return (rc);
	if (batch_add_definition(dp->d->writer, MSG_module, &of_po) == -1)
		return (-1);
	return (ident_code_new(dp->d->ident, dp->po, MSG_module, &of_po));
}

bool
drain_ask(struct drain *d, struct msg_resolve *m)
{
	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];

		if (dp->places != NULL && places_ask(dp->places, m)) {
			m->po = dp->po->number;
			return (true);
		}
	}
	return (false);
}

int
drain_symbol(struct drain *d, const struct msg_symbol *m)
{
	struct po *po = ident_po(d->ident, m->po);

	if (po == NULL) {
		errno = ENOENT; /* forgotten meanwhile */
		return (-1);
	}
	if (batch_add_definition(d->writer, MSG_symbol, m) == -1)
		return (-1);
	for (size_t i = 0; i < d->npos; i++)
		if (d->pos[i]->po == po)
			drain_choice_symbol(d->pos[i], m);
	return (ident_code_new(d->ident, po, MSG_symbol, m));
}

struct drain_po *
drain_stray(struct drain *d, int64_t before_ns, int64_t now_ns)
{
	for (size_t i = 0; i < d->npos; i++) {
		struct drain_po *dp = d->pos[i];

		if (dp->places == NULL || !places_stray(dp->places) ||
		    dp->detached || dp->code_looked_ns > before_ns)
			continue;
		dp->code_looked_ns = now_ns;
		places_looked(dp->places);
		return (dp);
	}
	return (NULL);
}

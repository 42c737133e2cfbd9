/*
 * Figures of kinds that programs have declared: how many events, and of each
 * field the sum, the least and the greatest.  Whole numbers are added as such:
 * a sum has as many digits as it takes, up to 64 bits.
 */
#include <string.h>

#include "tally_inside.h"

static double
number(enum word_type type, uint64_t v)
{
	return (type == WORD_real     ? event_real(v)
		: type == WORD_signed ? (double)(int64_t)v
				      : (double)v);
}

static bool
less(enum word_type type, uint64_t a, uint64_t b)
{
	if (type == WORD_real)
		return (event_real(a) < event_real(b));
	if (type == WORD_signed)
		return ((int64_t)a < (int64_t)b);
	return (a < b);
}

static void
add(struct tally_own_field *f, enum word_type type, uint64_t v)
{
	int64_t sum = 0;

	if (f->known++ == 0)
		f->min = f->max = v;
	f->about += number(type, v);
	if (type == WORD_real) {
		f->sum = event_real_bits(f->about);
	} else if (type == WORD_signed) {
		f->over |=
		    __builtin_add_overflow((int64_t)f->sum, (int64_t)v, &sum);
		f->sum = (uint64_t)sum;
	} else {
		f->over |= __builtin_add_overflow(f->sum, v, &f->sum);
	}
	if (less(type, v, f->min))
		f->min = v;
	if (less(type, f->max, v))
		f->max = v;
}

int
tally_own(struct tally *t, const struct event *e)
{
	struct own_event own;
	struct tally_own *o;
	bool fresh;

	switch (own_event(t->inside->own, e, &own)) {
	case OWN_FAILED:
		return (-1);
	case OWN_WHOLE:
		break;
	default:
		return (0);
	}
	o = tally_row(&t->inside->owns, e->c, &t->owns, &t->nowns, sizeof(*o),
	    &fresh);
	if (o == NULL)
		return (-1);
	o->name = e->c;
	o->kind = own.kind;
	o->events++;
	for (unsigned i = 0; i < own.kind->fields; i++) {
		enum word_type type = event_word_type(own.kind->field[i].word);

		if (own.known[i] && type == WORD_name)
			o->field[i].known++;
		else if (own.known[i])
			add(&o->field[i], type, own.value[i]);
	}
	return (0);
}

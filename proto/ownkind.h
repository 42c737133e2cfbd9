/*
 * Kinds of events that a program declares, as the text which is their name in
 * a log:
 *
 *	order id:id client:name price:real:EUR waited:ns
 *
 * that is the kind, and for each field its label, its type and, if it has one,
 * its unit.  Such an event is an EV_own, whose word c is that name, behind as
 * many EV_own_more of its thread as it takes: numbers go into a and b of the
 * EV_own, and then of the first, second and third EV_own_more; names into c of
 * these.
 *
 * Here is only what libprobe and the readers of logs share.
 */
#ifndef PROTO_OWNKIND_H
#define PROTO_OWNKIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

#define OWN_FIELDS 8u
#define OWN_NAMES  3u
#define OWN_MORE   3u  /* events before the last one */
#define OWN_LABEL  32u /* bytes, with the NUL; of the kind, too */
#define OWN_UNIT   16u
/* Of the text, with the NUL. */
#define OWN_TEXT   (OWN_LABEL + OWN_FIELDS * (OWN_LABEL + OWN_UNIT + 8u))

/* Those of events.def that a program may say; the longest has 6 letters. */
static const char *const own_types[] = { "number", "value", "real", "id", "ns",
	"bytes", "flag", "name" };
#define OWN_TYPES (sizeof(own_types) / sizeof(own_types[0]))

struct own_field {
	char word[OWN_LABEL + 8]; /* "price:real", as in events.def */
	char label[OWN_LABEL], unit[OWN_UNIT];
	bool is_name, is_ns;
};

struct own_kind {
	char name[OWN_LABEL];
	struct own_field field[OWN_FIELDS];
	unsigned fields, numbers, names;
};

/* How many EV_own_more stand before the EV_own. */
static inline unsigned
own_more(const struct own_kind *k)
{
	unsigned more = k->numbers > 2 ? (k->numbers - 1) / 2 : 0;

	return (more > k->names ? more : k->names);
}

/* What is shown behind a number of it. */
static inline const char *
own_unit(const struct own_field *f)
{
	return (*f->unit == '\0' && f->is_ns ? "ns" : f->unit);
}

/* A kind or a label: letters, digits and _, the first no digit. */
static inline bool
own_is_label(const char *p, size_t n)
{
	uint32_t c;

	if (n == 0 || n >= OWN_LABEL || (*p >= '0' && *p <= '9'))
		return (false);
	for (size_t i = 0, bytes; i < n; i += bytes) {
		bytes = utf8_character((const unsigned char *)p + i, n - i, &c);
		if (bytes == 0 ||
		    !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '_' || c > 0xa0))
			return (false);
	}
	return (true);
}

/* A unit: what can be seen, but no colon and no quotes. */
static inline bool
own_is_unit(const char *p, size_t n)
{
	uint32_t c;

	if (n >= OWN_UNIT)
		return (false);
	for (size_t i = 0, bytes; i < n; i += bytes) {
		bytes = utf8_character((const unsigned char *)p + i, n - i, &c);
		if (bytes == 0 || c <= ' ' || (c >= 0x7f && c <= 0xa0) ||
		    c == ':' || c == '"' || c == '\\')
			return (false);
	}
	return (true);
}

/* "price:real:EUR", or NULL and what is wrong with it. */
static inline const char *
own_parse_field(struct own_kind *k, const char *p, size_t n)
{
	const char *type = memchr(p, ':', n), *end = p + n, *unit;
	size_t label = type == NULL ? n : (size_t)(type - p), bytes, t;
	struct own_field *f = &k->field[k->fields];

	if (k->fields == OWN_FIELDS)
		return ("a kind has at most 8 fields");
	if (type == NULL || !own_is_label(p, label))
		return ("a field is LABEL:TYPE or LABEL:TYPE:UNIT, its label "
			"up to 31 bytes of letters, digits and _");
	type++;
	unit = memchr(type, ':', (size_t)(end - type));
	bytes = (size_t)((unit == NULL ? end : unit) - type);
	for (t = 0; t < OWN_TYPES; t++)
		if (strlen(own_types[t]) == bytes &&
		    memcmp(own_types[t], type, bytes) == 0)
			break;
	if (t == OWN_TYPES)
		return ("the type of a field is number, value, real, id, ns, "
			"bytes, flag or name");
	memset(f, 0, sizeof(*f));
	memcpy(f->label, p, label);
	memcpy(f->word, p, label + 1 + bytes);
	bytes = unit == NULL ? 0 : (size_t)(end - ++unit);
	if (!own_is_unit(unit == NULL ? "" : unit, bytes))
		return ("a unit is up to 15 bytes of text without blanks, "
			"colons and quotes");
	if (bytes > 0)
		memcpy(f->unit, unit, bytes);
	for (unsigned i = 0; i < k->fields; i++)
		if (strcmp(k->field[i].label, f->label) == 0)
			return ("two of its fields have the same label");
	f->is_name = strcmp(own_types[t], "name") == 0;
	f->is_ns = strcmp(own_types[t], "ns") == 0;
	k->fields++;
	if (f->is_name)
		return (++k->names > OWN_NAMES
			    ? "a kind has at most 3 fields that are names"
			    : NULL);
	k->numbers++;
	return (NULL);
}

/* NULL, or what is wrong with the text, in words. */
static inline const char *
own_parse(struct own_kind *k, const char *text)
{
	size_t n = strcspn(text, " ");
	const char *why;

	memset(k, 0, sizeof(*k));
	if (!own_is_label(text, n))
		return ("a kind is called by up to 31 bytes of letters, digits "
			"and _");
	memcpy(k->name, text, n);
	for (text += n; *text != '\0'; text += n) {
		text++;
		n = strcspn(text, " ");
		why = own_parse_field(k, text, n);
		if (why != NULL)
			return (why);
	}
	return (k->fields == 0 ? "a kind has at least one field" : NULL);
}

#endif

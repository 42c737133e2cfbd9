/*
 * Kinds of events that the program declares (probe/own.h).
 *
 * A kind is a name whose text says what its fields are, so declaring one is
 * interning it.  What is remembered here is only which kinds there are, by
 * their hashes, to refuse one that is declared again with other fields: by
 * their name readers could not tell them apart.
 */
#include <stdio.h>
#include <string.h>

#include "first.h"
#include "internal.h"
#include "libprobe/meet/bulk.h"
#include "ownkind.h"

#define KINDS_MAX   256u
#define REFUSED_MAX 32u
#define SAID_BYTES  256

struct known {
	uint64_t name, text; /* hashes */
};

/* With the lock held; a child has those of its parent. */
static BULK struct known kinds[KINDS_MAX];
static uint32_t nkinds;
static BULK uint64_t refused[REFUSED_MAX]; /* texts: each is told of once */
static uint32_t nrefused;

static uint64_t
hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (*s != '\0')
		h = (h ^ (uint8_t)*s++) * UINT64_C(0x100000001b3);
	return (h);
}

/* As it stands in the log: a field without a unit has no colon behind it. */
static void
spell(char text[OWN_TEXT], const struct own_kind *k)
{
	size_t n = strlen(k->name);

	memcpy(text, k->name, n);
	for (unsigned i = 0; i < k->fields; i++) {
		const struct own_field *f = &k->field[i];
		size_t word = strlen(f->word), unit = strlen(f->unit);

		text[n++] = ' ';
		memcpy(text + n, f->word, word);
		n += word;
		if (unit > 0)
			text[n++] = ':';
		memcpy(text + n, f->unit, unit);
		n += unit;
	}
	text[n] = '\0';
}

/* Those of Orrery would not be told from it in what is shown. */
static bool
is_ours(const char *name)
{
	static const char names[] = " "
#define EVENT(kind, ...) #kind " "
#include "events.def"
#undef EVENT
	    ;
	const char *at = names;
	size_t n = strlen(name);

	while ((at = strstr(at, name)) != NULL) {
		if (at[-1] == ' ' && at[n] == ' ')
			return (true);
		at++;
	}
	return (false);
}

/* NULL, or why it cannot be.  With the lock held. */
static const char *
add(uint64_t name, uint64_t text)
{
	for (uint32_t i = 0; i < nkinds; i++)
		if (kinds[i].name == name)
			return (
			    kinds[i].text == text
				? NULL
				: "it is declared with other fields already");
	if (nkinds == KINDS_MAX)
		return ("there are 256 kinds already");
	kinds[nkinds++] = (struct known){ name, text };
	return (NULL);
}

/* Is this the first time?  With the lock held. */
static bool
is_news(uint64_t text)
{
	for (uint32_t i = 0; i < nrefused; i++)
		if (refused[i] == text)
			return (false);
	if (nrefused == REFUSED_MAX)
		return (false);
	refused[nrefused++] = text;
	return (true);
}

/* A note in the log; what is not text in it is shown as \xNN there. */
static uint32_t
refuse(const char *text, const char *why)
{
	char said[SAID_BYTES];
	struct hold h;
	bool news;

	hold(&h);
	news = is_news(hash(text));
	let_go(&h);
	if (news) {
		snprintf(said, sizeof(said), "kind %.*s refused: %s",
		    (int)strnlen(text,
			strcspn(text, " ") < 40 ? strcspn(text, " ") : 40),
		    text, why);
		probe_note(probe_name(said), 0);
	}
	return (PROBE_REFUSED);
}

uint32_t
probe_declare(const char *declared)
{
	char text[OWN_TEXT];
	struct own_kind k;
	const char *why;
	struct hold h;

	if (is_second())
		return (probe_first.declare(declared));
	if (held_here || !process_start())
		return (0);
	if (declared == NULL)
		return (refuse("", "it has no text"));
	why = own_parse(&k, declared);
	if (why == NULL && is_ours(k.name))
		why = "Orrery has events that are called so";
	if (why != NULL)
		return (refuse(declared, why));
	spell(text, &k);
	hold(&h);
	why = add(hash(k.name), hash(text));
	let_go(&h);
	return (why != NULL ? refuse(declared, why) : probe_name(text));
}

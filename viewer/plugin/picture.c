/*
 * Packs and unpacks pictures, and looks whether one can be believed.
 *
 * Sizes are looked at before anything is allotted, then every
 * item and every character; what is drawn later needs no check any more.
 */
#include "plugin/picture.h"

#include <stdlib.h>
#include <string.h>

#include "plain.h"

static bool
is_string(const char *s, size_t room)
{
	return (memchr(s, '\0', room) != NULL);
}

/* UTF-8 that a terminal only shows, and newlines if there may be some. */
static bool
is_shown(const char *s, size_t n, bool lines)
{
	uint32_t c = 0;
	size_t used;

	for (size_t i = 0; i < n; i += used) {
		used = 1;
		if (lines && s[i] == '\n')
			continue;
		used = plain_character((const unsigned char *)s + i, n - i, &c);
		if (used == 0 || !plain_is_shown(c))
			return (false);
	}
	return (true);
}

static bool
is_text(const char *s, size_t room)
{
	return (is_string(s, room) && is_shown(s, strlen(s), false));
}

const char *
plug_head_wrong(const struct plug_reply *r, uint32_t seq)
{
	if (r->magic != PLUG_MAGIC)
		return ("it writes into what is not its own");
	if (r->seq != seq)
		return ("it answers what was not asked");
	if (r->items > PLUG_ITEMS_MAX || r->text_bytes > PLUG_TEXT_MAX ||
	    r->words_bytes > PLUG_WORDS_MAX)
		return ("its picture is too large");
	if (r->permille > 1000 || r->scroll_most < 0 ||
	    r->scroll_most > PLUG_SCROLL_MAX || r->over > 1)
		return ("its answer makes no sense");
	if (!is_text(r->why, sizeof(r->why)) ||
	    !is_text(r->name, sizeof(r->name)) ||
	    !is_text(r->about, sizeof(r->about)))
		return ("its name is no text");
	return (NULL);
}

size_t
plug_body_bytes(const struct plug_reply *r)
{
	return (r->items * sizeof(struct plug_item) + r->text_bytes +
		r->words_bytes);
}

static bool
within(int32_t px)
{
	return (px >= -PLUG_PX_MAX && px <= PLUG_PX_MAX);
}

static const char *
item_wrong(const struct plug_item *i, const char *text, size_t bytes)
{
	if (i->kind >= PLUG_KINDS || i->colour >= PLUG_COLOURS)
		return ("it draws what there is not");
	if (!within(i->x) || !within(i->y) || !within(i->w) || !within(i->h))
		return ("it draws far outside");
	if (i->text > bytes || i->text_n > bytes - i->text)
		return ("a text of it is nowhere");
	if (!is_shown(text + i->text, i->text_n, false) ||
	    (i->kind == PLUG_BUTTON && i->text_n >= PLUG_SAID))
		return ("a text of it is none");
	return (NULL);
}

static const char *
body_wrong(const struct plug_reply *r, const struct plug_item *items,
    const char *text, const char *words)
{
	const char *wrong = NULL;
	uint32_t left = r->text_bytes; /* each is looked at once */

	for (uint32_t i = 0; i < r->items && wrong == NULL; i++) {
		if (items[i].text_n > left)
			return ("texts of it lie upon each other");
		left -= items[i].text_n;
		wrong = item_wrong(&items[i], text, r->text_bytes);
	}
	if (wrong == NULL &&
	    (!is_shown(words, r->words_bytes, true) ||
		(r->words_bytes > 0 && words[r->words_bytes - 1] != '\n')))
		wrong = "its words are no text";
	return (wrong);
}

const char *
plug_picture_take(struct plug_picture *p, const struct plug_reply *r,
    const void *body)
{
	size_t item_bytes = r->items * sizeof(struct plug_item);
	const char *at = body, *wrong;
	struct plug_picture q = { .head = *r };

	q.items = malloc(item_bytes + 1);
	q.text = malloc(r->text_bytes + 1);
	q.words = malloc(r->words_bytes + 1);
	if (q.items == NULL || q.text == NULL || q.words == NULL) {
		plug_picture_clear(&q);
		return ("there is no memory for its picture");
	}
	memcpy(q.items, at, item_bytes);
	memcpy(q.text, at + item_bytes, r->text_bytes);
	memcpy(q.words, at + item_bytes + r->text_bytes, r->words_bytes);
	q.words[r->words_bytes] = '\0';
	wrong = body_wrong(r, q.items, q.text, q.words);
	if (wrong != NULL) {
		plug_picture_clear(&q);
		return (wrong);
	}
	plug_picture_clear(p);
	*p = q;
	return (NULL);
}

/* Of a side, as much as is in the view. */
static int64_t
in_view(int32_t at, int32_t size, int32_t view)
{
	int32_t from = at < 0 ? 0 : at;
	int32_t end = at + size > view ? view : at + size;

	return (end > from ? end - from : 0);
}

const char *
plug_picture_heavy(const struct plug_picture *p, int32_t width, int32_t height)
{
	int64_t left = PLUG_FILL_MAX + 4 * (int64_t)width * height;

	for (uint32_t i = 0; i < p->head.items; i++) {
		const struct plug_item *k = &p->items[i];

		if (k->kind == PLUG_RECT)
			left -= in_view(k->x, k->w, width) *
				in_view(k->y, k->h, height);
	}
	return (left < 0 ? "it paints its view over too often" : NULL);
}

void
plug_picture_clear(struct plug_picture *p)
{
	free(p->items);
	free(p->text);
	free(p->words);
	memset(p, 0, sizeof(*p));
}

bool
plug_ask_right(const struct plug_ask *a)
{
	return (a->magic == PLUG_MAGIC && a->width > 0 && a->height > 0 &&
		a->width <= PLUG_SIZE_MAX && a->height <= PLUG_SIZE_MAX &&
		a->scroll >= 0 && a->scroll <= PLUG_SCROLL_MAX &&
		is_text(a->said, sizeof(a->said)));
}

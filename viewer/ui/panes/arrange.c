/* See arrange.h. */
#include "ui/panes/arrange.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panes/panes.h"
#include "ui/views/view.h"

#define SPLIT_MAX 1000 /* 1/1000 of the window */

static const struct {
	const char *name, *once; /* as it was called when it held one view */
	enum pane pane;
} panes[] = { { "overview", "", PANE_OVERVIEW }, { "left", "time", PANE_LEFT },
	{ "right", "tree", PANE_RIGHT }, { "dock", "", PANE_DOCK } };

#define NPANES (sizeof(panes) / sizeof(panes[0]))

const char *
pane_each(unsigned i, enum pane *pane)
{
	if (i >= NPANES)
		return (NULL);
	*pane = panes[i].pane;
	return (panes[i].name);
}

static bool
is_word(const char *word, const char *s, size_t n)
{
	return (n > 0 && strlen(word) == n && strncmp(word, s, n) == 0);
}

enum pane
pane_named(const char *name, size_t n)
{
	for (size_t i = 0; i < NPANES; i++)
		if (is_word(panes[i].name, name, n) ||
		    is_word(panes[i].once, name, n))
			return (panes[i].pane);
	return (PANES);
}

/* Bits of the places of views. */
static unsigned
main_panes(void)
{
	return (1u << PANE_LEFT | 1u << PANE_RIGHT | 1u << PANE_DOCK);
}

static enum pane
focused_place(const struct ui *ui)
{
	return (view_place(ui, view_focused(ui)));
}

int
places_hide(struct ui *ui, unsigned hidden)
{
	if ((hidden & main_panes()) == main_panes())
		return (desk_fail(ui, "one of left, right and dock stays"));
	ui->places.hidden = hidden;
	for (int i = PANE_LEFT; i <= PANE_DOCK; i++)
		if ((hidden >> focused_place(ui) & 1) && !(hidden >> i & 1))
			ui->places.focus = view_pane(ui, (enum pane)i);
	return (0);
}

int
places_maximise(struct ui *ui)
{
	if (ui->places.maximised) {
		ui->places.maximised = false;
		return (places_hide(ui, ui->places.hidden_before));
	}
	ui->places.hidden_before = ui->places.hidden;
	ui->places.maximised = true;
	return (places_hide(ui, main_panes() & ~(1u << focused_place(ui))));
}

/* All panes, and the splitters as they are. */
static const struct arrangement built_in[] = {
	{ "plain", VIEW_LANES, VIEW_TREE, VIEW_FUNCTIONS, VIEWS, 0, -1, -1 },
	{ "functions", VIEW_LANES, VIEW_FUNCTIONS, VIEW_DETAILS, VIEWS, 0, -1,
	    -1 },
	{ "communication", VIEW_LANES, VIEW_COMMUNICATION, VIEW_ACTIVITY, VIEWS,
	    0, -1, -1 },
	{ "memory", VIEW_LANES, VIEW_MEMORY, VIEW_COUNTERS, VIEWS, 0, -1, -1 },
	{ "critical", VIEW_LANES, VIEW_PATH, VIEW_TOP, VIEWS, 0, -1, -1 },
};
#define BUILT_IN (sizeof(built_in) / sizeof(built_in[0]))

static const struct arrangement *
each(const struct ui *ui, size_t i)
{
	if (i < BUILT_IN)
		return (&built_in[i]);
	i -= BUILT_IN;
	return (i < ui->places.arranged.n ? &ui->places.arranged.of[i] : NULL);
}

static const struct arrangement *
find(const struct ui *ui, const char *name)
{
	const struct arrangement *a;

	for (size_t i = 0; (a = each(ui, i)) != NULL; i++)
		if (strcmp(a->name, name) == 0)
			return (a);
	return (NULL);
}

const char *
arrange_name(const struct ui *ui, unsigned i)
{
	const struct arrangement *a = each(ui, i);

	return (a != NULL ? a->name : NULL);
}

/* A view that is not there now leaves what is in its place. */
static void
stand(struct ui *ui, enum view_id v, enum pane place)
{
	if (views[v].there(ui))
		view_stand(ui, v, place);
}

int
arrange(struct ui *ui, const char *name)
{
	const struct arrangement *a = find(ui, name);

	if (a == NULL)
		return (-1);
	if (ui->places.maximised)
		places_maximise(ui);
	stand(ui, a->left, PANE_LEFT);
	stand(ui, a->right, PANE_RIGHT);
	stand(ui, a->tab, PANE_DOCK);
	places_hide(ui, a->hidden);
	if (a->split_x >= 0) {
		ui->places.split_x = a->split_x;
		ui->places.split_y = a->split_y;
	}
	if (a->alone == VIEWS || !views[a->alone].there(ui))
		return (0);
	ui->places.focus = view_pane(ui, view_place(ui, a->alone));
	return (places_maximise(ui));
}

static void
as_it_is(const struct ui *ui, struct arrangement *a)
{
	const struct places *p = &ui->places;

	a->left = p->left;
	a->right = p->right;
	a->tab = p->tab;
	a->alone = p->maximised ? view_focused(ui) : VIEWS;
	a->hidden = p->maximised ? p->hidden_before : p->hidden;
	a->split_x = p->split_x;
	a->split_y = p->split_y;
}

/* "overview,tree"; false: they are none, or nothing would be left. */
static bool
take_hidden(struct arrangement *a, const char *s)
{
	enum pane pane;
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		pane = pane_named(s, n);
		if (pane == PANES)
			return (false);
		a->hidden |= 1u << pane;
	}
	return ((a->hidden & main_panes()) != main_panes());
}

static bool
take_split(struct arrangement *a, const char *s)
{
	char *end;
	long x = strtol(s, &end, 10), y = -1;

	if (*end == ',')
		y = strtol(end + 1, &end, 10);
	if (*end != '\0' || x < 0 || x > SPLIT_MAX || y < 0 || y > SPLIT_MAX)
		return (false);
	a->split_x = (int32_t)x;
	a->split_y = (int32_t)y;
	return (true);
}

/* "left=Lanes" */
static bool
take_word(struct arrangement *a, const char *word)
{
	const struct {
		const char *key;
		enum view_id *view;
	} keys[] = { { "left=", &a->left }, { "right=", &a->right },
		{ "dock=", &a->tab }, { "alone=", &a->alone } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i].key);

		if (strncmp(word, keys[i].key, n) != 0)
			continue;
		*keys[i].view = view_named(word + n, strlen(word + n));
		return (*keys[i].view != VIEWS);
	}
	if (strncmp(word, "hidden=", 7) == 0)
		return (take_hidden(a, word + 7));
	return (strncmp(word, "split=", 6) == 0 && take_split(a, word + 6));
}

static bool
makes_sense(const struct arrangement *a)
{
	return (a->left != VIEWS && a->right != VIEWS && a->tab != VIEWS &&
		a->left != a->right && a->tab != a->left && a->tab != a->right);
}

/* Words after the name say all of it. */
static bool
take_words(struct arrangement *a, char *words)
{
	char *rest = words, *word;

	a->left = a->right = a->tab = a->alone = VIEWS;
	a->hidden = 0;
	a->split_x = a->split_y = -1;
	while ((word = strsep(&rest, " ")) != NULL)
		if (*word != '\0' && !take_word(a, word))
			return (false);
	return (makes_sense(a));
}

/* Names stand in lists, so they have no blanks and commas. */
static bool
is_name(const char *s, size_t n)
{
	if (n == 0 || n >= ARRANGEMENT_NAME)
		return (false);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] <= ' ' || s[i] == ',' || s[i] == '=' ||
		    s[i] == 0x7f)
			return (false);
	return (true);
}

/* Where one of this name goes; NULL: there is no room, or it is built in. */
static struct arrangement *
room_for(struct ui *ui, const char *name)
{
	for (size_t i = 0; i < BUILT_IN; i++)
		if (strcmp(built_in[i].name, name) == 0) {
			desk_fail(ui, "%s is built in: take another name",
			    name);
			return (NULL);
		}
	for (unsigned i = 0; i < ui->places.arranged.n; i++)
		if (strcmp(ui->places.arranged.of[i].name, name) == 0)
			return (&ui->places.arranged.of[i]);
	if (ui->places.arranged.n == ARRANGEMENTS_MAX) {
		desk_fail(ui, "%d arrangements are kept: forget one first",
		    ARRANGEMENTS_MAX);
		return (NULL);
	}
	return (&ui->places.arranged.of[ui->places.arranged.n++]);
}

int
arrange_save(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	struct arrangement a = { 0 }, *to;
	char words[ARRANGEMENT_WORDS];

	if (!is_name(arg, n))
		return (desk_fail(ui,
		    "arrange save wants a name of up to %d letters without "
		    "blanks, commas and =",
		    ARRANGEMENT_NAME - 1));
	memcpy(a.name, arg, n);
	as_it_is(ui, &a);
	if (strlen(arg + n) >= sizeof(words))
		return (desk_fail(ui, "that is too long"));
	memcpy(words, arg + n, strlen(arg + n) + 1);
	if (words[strspn(words, " ")] != '\0' && !take_words(&a, words))
		return (desk_fail(ui,
		    "arrange save NAME wants nothing more, or left=, right= "
		    "and dock= with a view each, hidden=, split=, alone="));
	to = room_for(ui, a.name);
	if (to == NULL)
		return (-1);
	*to = a;
	return (0);
}

int
arrange_forget(struct ui *ui, const char *name)
{
	struct arrangements *all = &ui->places.arranged;
	unsigned i = 0;

	while (i < all->n && strcmp(all->of[i].name, name) != 0)
		i++;
	if (i == all->n)
		return (desk_fail(ui,
		    find(ui, name) != NULL ? "%.24s is built in"
					   : "no arrangement is called %.24s",
		    name));
	all->n--;
	memmove(&all->of[i], &all->of[i + 1],
	    (all->n - i) * sizeof(all->of[0]));
	return (0);
}

static void put(char *buf, size_t n, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
put(char *buf, size_t n, const char *fmt, ...)
{
	size_t at = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + at, n - at, fmt, ap);
	va_end(ap);
}

bool
arrange_spell(const struct ui *ui, unsigned i, char *buf, size_t n)
{
	const struct arrangement *a = &ui->places.arranged.of[i];
	const char *name, *sep = " hidden=";
	enum pane pane;

	if (i >= ui->places.arranged.n)
		return (false);
	buf[0] = '\0';
	put(buf, n, "%s left=%s right=%s dock=%s", a->name, views[a->left].name,
	    views[a->right].name, views[a->tab].name);
	for (unsigned k = 0; (name = pane_each(k, &pane)) != NULL; k++)
		if (a->hidden >> pane & 1) {
			put(buf, n, "%s%s", sep, name);
			sep = ",";
		}
	if (a->split_x >= 0)
		put(buf, n, " split=%d,%d", a->split_x, a->split_y);
	if (a->alone != VIEWS)
		put(buf, n, " alone=%s", views[a->alone].name);
	return (true);
}

void
arrange_describe(const struct ui *ui, FILE *f)
{
	const char *name;

	fputs("arrangements:", f);
	for (unsigned i = 0; (name = arrange_name(ui, i)) != NULL; i++)
		fprintf(f, " %s", name);
	fputc('\n', f);
}

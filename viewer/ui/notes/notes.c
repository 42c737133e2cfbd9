/*
 * Notes, in order of time.
 *
 * Another viewer may write to the same file, so each change is made to what is
 * in the file by then: read, changed, written.
 */
#include "ui/notes/notes.h"

#include <stdlib.h>
#include <string.h>

#include "ui/notes/groups.h"
#include "ui/notes/notefile.h"

struct notes *
notes_new(void)
{
	struct notes *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->chosen = SIZE_MAX;
	k->hand = hand_new();
	if (k->hand == NULL) {
		free(k);
		return (NULL);
	}
	return (k);
}

static void
clear(struct notes *k)
{
	struct hand *hand = k->hand;

	free(k->note);
	free(k->kept);
	memset(k, 0, sizeof(*k));
	k->chosen = SIZE_MAX;
	k->hand = hand;
	hand_clear(hand);
}

void
notes_free(struct notes *k)
{
	if (k == NULL)
		return;
	clear(k);
	hand_free(k->hand);
	free(k);
}

static int
compare(const struct note *a, const struct note *b)
{
	if (a->t0_ns != b->t0_ns)
		return (a->t0_ns < b->t0_ns ? -1 : 1);
	if (a->t1_ns != b->t1_ns) /* what holds others comes first */
		return (a->t1_ns > b->t1_ns ? -1 : 1);
	/* of all rows first */
	return (a->row + 1 == b->row + 1  ? 0
		: a->row + 1 < b->row + 1 ? -1
					  : 1);
}

/* In which line of the strip each stands, so that no two ranges lie upon each
 * other while there are lines. */
static void
put_in_lines(struct notes *k)
{
	int64_t until[NOTE_LINES];
	uint32_t line;

	for (int i = 0; i < NOTE_LINES; i++)
		until[i] = INT64_MIN;
	for (size_t i = 0; i < k->n; i++) {
		struct note *a = &k->note[i];

		for (line = 0; line + 1 < NOTE_LINES; line++)
			if (until[line] <= a->t0_ns)
				break;
		a->line = line;
		if (a->t1_ns > until[line])
			until[line] = a->t1_ns;
	}
}

struct note *
notes_insert(struct notes *k, const struct note *new)
{
	struct note *p;
	size_t i = k->n;

	if (k->n == NOTES_MAX)
		return (NULL);
	if (k->n == k->cap) {
		p = realloc(k->note, (k->cap * 2 + 16) * sizeof(*p));
		if (p == NULL)
			return (NULL);
		k->note = p;
		k->cap = k->cap * 2 + 16;
	}
	while (i > 0 && compare(&k->note[i - 1], new) > 0)
		i--;
	memmove(&k->note[i + 1], &k->note[i], (k->n - i) * sizeof(*k->note));
	k->note[i] = *new;
	k->n++;
	put_in_lines(k);
	return (&k->note[i]);
}

void
notes_drop(struct notes *k, size_t i)
{
	k->n--;
	memmove(&k->note[i], &k->note[i + 1], (k->n - i) * sizeof(*k->note));
	put_in_lines(k);
}

/* Which groups were folded or hidden, to be so again. */
struct shut {
	char name[HAND_NAME];
	uint8_t flags;
};

static struct shut *
shut_of(const struct hand *h, uint32_t *n)
{
	struct shut *v = calloc(h->ngroups + 1, sizeof(*v));

	*n = 0;
	for (uint32_t i = 0; v != NULL && i < h->ngroups; i++)
		if (h->group[i] != NULL && h->group[i]->class == 0) {
			snprintf(v[*n].name, sizeof(v[*n].name), "%s",
			    h->group[i]->name);
			v[(*n)++].flags = h->group[i]->flags;
		}
	return (v);
}

/* As the files have them now. */
static int
read_again(struct notes *k, const struct ui *ui, char *why, size_t n)
{
	struct hand_group *g;
	uint32_t shuts;
	struct shut *shut = shut_of(k->hand, &shuts);
	int rv;

	clear(k);
	snprintf(k->run, sizeof(k->run), "%s", ui->feed.run);
	rv = notefile_read(k, ui->feed.log, why, n);
	for (uint32_t i = 0; i < shuts; i++) {
		g = hand_find(k->hand, shut[i].name);
		if (g != NULL && g->class == 0)
			g->flags = shut[i].flags;
	}
	free(shut);
	return (rv);
}

void
notes_read_again(struct ui *ui)
{
	char why[256];

	read_again(ui->notes, ui, why, sizeof(why));
}

int
notes_write(struct ui *ui, char *why, size_t n)
{
	ui->notes->was_beside = false;
	if (notefile_write(ui->notes, ui->feed.log, why, n) == 0)
		return (0);
	read_again(ui->notes, ui, NULL, 0);
	return (-1);
}

int
notes_arrive(struct ui *ui, char *why, size_t n)
{
	struct notes *k = ui->notes;

	if (strcmp(k->run, ui->feed.run) == 0)
		return (0);
	clear(k);
	if (ui->feed.run[0] == '\0')
		return (0);
	return (read_again(k, ui, why, n));
}

static size_t
find(const struct notes *k, const struct note *like)
{
	for (size_t i = 0; i < k->n; i++)
		if (compare(&k->note[i], like) == 0)
			return (i);
	return (SIZE_MAX);
}

int
notes_add(struct ui *ui, int64_t t0_ns, int64_t t1_ns, uint32_t row,
    const char *text)
{
	struct note new = { .t0_ns = t0_ns, .t1_ns = t1_ns, .row = row }, *at;
	struct notes *k = ui->notes;
	char why[256];
	size_t i;

	if (ui->feed.run[0] == '\0')
		return (desk_fail(ui, "nothing is known of the run yet"));
	if (strlen(text) >= sizeof(new.text))
		return (desk_fail(ui, "a note has at most %d bytes of text",
		    NOTE_TEXT - 1));
	read_again(k, ui, why, sizeof(why));
	i = find(k, &new);
	k->was_beside = i < k->n && k->note[i].beside;
	at = i < k->n ? &k->note[i] : notes_insert(k, &new);
	if (at == NULL)
		return (desk_fail(ui, "%d notes are enough", NOTES_MAX));
	snprintf(at->text, sizeof(at->text), "%s", text);
	k->chosen = (size_t)(at - k->note);
	if (notefile_write(k, ui->feed.log, why, sizeof(why)) == 0)
		return ((int)k->chosen);
	read_again(k, ui, NULL, 0);
	return (desk_fail(ui, "%s", why));
}

int
notes_remove(struct ui *ui, size_t i)
{
	struct notes *k = ui->notes;
	struct note old;
	char why[256];

	old = k->note[i];
	read_again(k, ui, why, sizeof(why));
	i = find(k, &old);
	if (i == SIZE_MAX) /* somebody else has done it */
		return (0);
	k->was_beside = old.beside;
	notes_drop(k, i);
	if (notefile_write(k, ui->feed.log, why, sizeof(why)) == 0)
		return (0);
	read_again(k, ui, NULL, 0);
	return (desk_fail(ui, "%s", why));
}

char *
notes_row(const struct ui *ui, const struct note *a, char *buf, size_t n)
{
	if (a->row == NOTE_ALL)
		snprintf(buf, n, "all rows");
	else if (a->row >= model_lanes(ui->model))
		snprintf(buf, n, "row %u, not there yet", a->row);
	else
		label_row(ui->model, model_lane(ui->model, a->row), buf, n);
	return (buf);
}

size_t
notes_near(const struct ui *ui, int64_t t_ns)
{
	const struct notes *k = ui->notes;
	int64_t far, best = INT64_MAX;
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < k->n; i++) {
		const struct note *a = &k->note[i];

		far = t_ns < a->t0_ns   ? a->t0_ns - t_ns
		      : t_ns > a->t1_ns ? t_ns - a->t1_ns
					: 0;
		if (far < best) {
			best = far;
			found = i;
		}
	}
	return (found);
}

/*
 * The omnibox while it is open: keys are text, and below it stand commands or
 * names that what was typed may mean, best ones first: those that begin with
 * it, then those that have it in them, then those that have its letters in
 * that order.
 */
#include "ui/commands/command.h"

#include <ctype.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"

#define SUGGESTIONS 9
#define ROW_PX      18

enum fit {
	FIT_BEGIN,
	FIT_INSIDE,
	FIT_LETTERS,
	FITS /* none */
};

static enum fit
fit(const char *text, const char *part)
{
	const char *p = strcasestr(text, part);

	if (p == text)
		return (FIT_BEGIN);
	if (p != NULL)
		return (FIT_INSIDE);
	for (; *text != '\0' && *part != '\0'; text++)
		part += tolower((unsigned char)*text) ==
			tolower((unsigned char)*part);
	return (*part == '\0' ? FIT_LETTERS : FITS);
}

/* "COMMAND WORD" with the i-th word for the command that is typed. */
static bool
candidate_word(const struct ui *ui, unsigned i, char *buf, size_t n)
{
	const char *typed = ui->prompt.typed, *w;
	int len = (int)strcspn(typed, " ");
	command_word *word = command_words(typed, (size_t)len);

	w = word != NULL ? word(ui, i) : NULL;
	if (w == NULL)
		return (false);
	snprintf(buf, n, "%.*s %s", len, typed, w);
	return (true);
}

/* The i-th thing that can be meant at all; false: there are no more. */
static bool
candidate(const struct ui *ui, unsigned i, char *buf, size_t n,
    const char **what)
{
	uint32_t names = model_names(ui->model);
	const char *name, *arguments;

	*what = "";
	if (ui->prompt.kind == '>' && strchr(ui->prompt.typed, ' ') != NULL)
		return (candidate_word(ui, i, buf, n));
	if (ui->prompt.kind == '>') {
		unsigned all = 0;

		if (!command_each(i, &name, &arguments, what)) {
			while (command_each(all, &name, &arguments, what))
				all++;
			if (!macro_each(ui, i - all, &name, what))
				return (false);
		}
		snprintf(buf, n, "%s", name);
		return (true);
	}
	if (i < names) {
		snprintf(buf, n, "%s", label_name(ui->model, i + 1));
		*what = "procedure or class";
		return (true);
	}
	i -= names;
	if (i >= model_lanes(ui->model))
		return (false);
	label_lane(ui->model, model_lane(ui->model, i), buf, n);
	*what = "row";
	return (true);
}

struct suggestion {
	char text[64];
	const char *what;
};

static unsigned
suggest(const struct ui *ui, struct suggestion *out)
{
	struct suggestion s;
	unsigned n = 0, skip = ui->prompt.suggest_from;

	if (ui->prompt.kind == 0 || ui->prompt.kind == ':' ||
	    (ui->prompt.typed[0] == '\0' && ui->prompt.kind != '>'))
		return (0);
	for (int want = FIT_BEGIN; want < FITS && n < SUGGESTIONS; want++) {
		/* letters alone are too little for names */
		if (want == FIT_LETTERS && ui->prompt.kind != '>')
			break;
		for (unsigned i = 0;
		     n < SUGGESTIONS &&
		     candidate(ui, i, s.text, sizeof(s.text), &s.what);
		     i++)
			if (fit(s.text, ui->prompt.typed) != (enum fit)want ||
			    (n > 0 && strcmp(out[n - 1].text, s.text) == 0))
				continue;
			else if (skip > 0)
				skip--;
			else
				out[n++] = s;
	}
	return (n);
}

static bool
is_command(const struct ui *ui, const char *typed)
{
	size_t n = strcspn(typed, " ");
	const char *name, *arguments, *what;

	for (unsigned i = 0; command_each(i, &name, &arguments, &what); i++)
		if (strlen(name) == n && strncmp(name, typed, n) == 0)
			return (true);
	return (macro_find(ui, typed, n) != NULL);
}

static void
complete(struct ui *ui, const struct suggestion *s)
{
	const char *name, *arguments, *what;
	bool more = false;

	for (unsigned i = 0; command_each(i, &name, &arguments, &what); i++)
		more |= strcmp(name, s->text) == 0 && arguments[0] != '\0';
	for (unsigned i = 0; macro_each(ui, i, &name, &what); i++)
		more |= strcmp(name, s->text) == 0 && strchr(what, '$') != NULL;
	snprintf(ui->prompt.typed, sizeof(ui->prompt.typed), "%.63s%s", s->text,
	    ui->prompt.kind == '>' && more ? " " : "");
	ui->prompt.suggested = -1;
}

static void
prompt_run(struct ui *ui)
{
	static const char
	    *const verb[] = { ['/'] = "search ", [':'] = "query ", ['>'] = "" };
	struct suggestion s[SUGGESTIONS];
	unsigned n = suggest(ui, s);
	char line[sizeof(ui->prompt.typed) + 16];

	if (ui->prompt.suggested >= 0 && (unsigned)ui->prompt.suggested < n)
		complete(ui, &s[ui->prompt.suggested]);
	else if (ui->prompt.kind == '>' && n > 0 &&
		 ui->prompt.typed[0] != '\0' &&
		 !is_command(ui, ui->prompt.typed))
		complete(ui, &s[0]);
	snprintf(line, sizeof(line), "%s%s",
	    verb[(unsigned char)ui->prompt.kind], ui->prompt.typed);
	ui->prompt.kind = 0;
	if (ui->prompt.typed[0] != '\0')
		command_run(ui, line);
}

/* The list goes on by one; false: it does not. */
static bool
scroll(struct ui *ui, int way)
{
	struct suggestion s[SUGGESTIONS];
	unsigned was = ui->prompt.suggest_from;

	if (way < 0 && was == 0)
		return (false);
	ui->prompt.suggest_from += way < 0 ? -1u : 1u;
	if (suggest(ui, s) == SUGGESTIONS)
		return (true);
	ui->prompt.suggest_from = was;
	return (false);
}

static void
choose(struct ui *ui, int way)
{
	struct suggestion s[SUGGESTIONS];
	int n = (int)suggest(ui, s);

	if (n == 0)
		return;
	ui->prompt.suggested += way;
	if (ui->prompt.suggested >= n)
		ui->prompt.suggested = scroll(ui, 1) ? n - 1 : -1;
	else if (ui->prompt.suggested == -1 && way < 0 && scroll(ui, -1))
		ui->prompt.suggested = 0;
	else if (ui->prompt.suggested < -1)
		ui->prompt.suggested = n - 1;
}

static void
type(struct ui *ui, const char *text)
{
	size_t n = strlen(ui->prompt.typed);

	ui->prompt.suggested = -1;
	ui->prompt.suggest_from = 0;
	if (n == 0 && text[0] != '\0' && strchr(":>/", text[0]) != NULL &&
	    text[1] == '\0')
		ui->prompt.kind = text[0];
	else if ((unsigned char)text[0] >= ' ' &&
		 n + strlen(text) < sizeof(ui->prompt.typed))
		memcpy(ui->prompt.typed + n, text, strlen(text) + 1);
}

static void
rub_out(struct ui *ui)
{
	size_t n = strlen(ui->prompt.typed);

	ui->prompt.suggested = -1;
	ui->prompt.suggest_from = 0;
	if (n == 0) {
		ui->prompt.kind = 0;
		return;
	}
	do
		n--;
	while (n > 0 && ((unsigned char)ui->prompt.typed[n] & 0xc0) == 0x80);
	ui->prompt.typed[n] = '\0';
}

void
prompt_press(struct ui *ui, const char *key, const char *text)
{
	struct suggestion s[SUGGESTIONS];

	picture_changed(ui->picture);
	if (strcmp(key, "Escape") == 0) {
		ui->prompt.kind = 0;
	} else if (strcmp(key, "Return") == 0) {
		prompt_run(ui);
	} else if (strcmp(key, "BackSpace") == 0) {
		rub_out(ui);
	} else if (strcmp(key, "Down") == 0) {
		choose(ui, 1);
	} else if (strcmp(key, "Up") == 0) {
		choose(ui, -1);
	} else if (strcmp(key, "Tab") == 0) {
		unsigned n = suggest(ui, s);

		if (n > 0)
			complete(ui, &s[ui->prompt.suggested >= 0 &&
						 ui->prompt.suggested < (int)n
					     ? ui->prompt.suggested
					     : 0]);
	} else {
		type(ui, text);
	}
	if (ui->prompt.kind == 0)
		ui->prompt.suggested = -1;
}

/* Where they stand. */
static struct rect
list_place(const struct ui *ui, unsigned n)
{
	int32_t x0 = 84, x1 = x0 + 440;

	x1 = x1 > ui->places.width - 8 ? ui->places.width - 8 : x1;
	return ((struct rect){ x0, 32, x1, 32 + (int32_t)n * ROW_PX + 8 });
}

/* Number of the one that is there, or -1; inside: of the list. */
static int
suggestion_at(const struct ui *ui, int32_t x, int32_t y, bool *inside)
{
	struct suggestion s[SUGGESTIONS];
	unsigned n = suggest(ui, s);
	struct rect r = list_place(ui, n);
	int32_t i = (y - r.y0 - 4) / ROW_PX;

	*inside = n > 0 && ui->places.only == PANES && rect_has(&r, x, y);
	return (*inside && y >= r.y0 + 4 && i < (int32_t)n ? i : -1);
}

void
prompt_move(struct ui *ui, int32_t x, int32_t y)
{
	bool inside;
	int i = suggestion_at(ui, x, y, &inside);

	if (inside)
		ui->prompt.suggested = i;
}

/* What must be given to a command is typed; the rest is done at once. */
bool
prompt_click(struct ui *ui, int32_t x, int32_t y)
{
	struct suggestion s[SUGGESTIONS];
	const char *name, *arguments = "", *what;
	bool inside;
	int at = suggestion_at(ui, x, y, &inside);

	if (at == -1)
		return (inside);
	suggest(ui, s);
	picture_changed(ui->picture);
	for (unsigned i = 0; command_each(i, &name, &arguments, &what); i++)
		if (strcmp(name, s[at].text) == 0)
			break;
	ui->prompt.suggested = at;
	if (ui->prompt.kind == '>' && arguments[0] != '\0' &&
	    arguments[0] != '[')
		complete(ui, &s[at]);
	else
		prompt_run(ui);
	return (true);
}

bool
prompt_wheel(struct ui *ui, int32_t x, int32_t y, int dy)
{
	bool inside;

	suggestion_at(ui, x, y, &inside);
	if (inside) {
		scroll(ui, dy);
		picture_changed(ui->picture);
	}
	return (inside);
}

void
prompt_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	struct suggestion s[SUGGESTIONS];
	unsigned n;
	struct rect r;

	if (ui->prompt.kind == 0 || ui->places.only != PANES)
		return;
	n = suggest(ui, s);
	if (n == 0)
		return;
	r = list_place(ui, n);
	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->panel);
	draw_frame(c, &r, p->faint);
	for (unsigned i = 0; i < n; i++) {
		int32_t y = r.y0 + 4 + (int32_t)i * ROW_PX;

		if ((int)i == ui->prompt.suggested)
			canvas_fill(c, r.x0 + 1, y, r.x1 - 1, y + ROW_PX,
			    palette_mix(p->panel, p->accent, 90));
		draw_cut(c, FONT_NORMAL, r.x0 + 10, y + 13, 150, p->text,
		    s[i].text);
		draw_cut(c, FONT_SMALL, r.x0 + 166, y + 13, r.x1 - r.x0 - 176,
		    p->dim, s[i].what);
	}
}

/*
 * Views of plug-ins: what is drawn comes from processes of their own
 * (app/plugins.h), as plain items that have been looked at; here they get the
 * colours of the palette, and stay within their place.
 */
#include "ui/views/plugged.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/palette.h"
#include "plugin/orrery-plugin.h"
#include "ui/desk/parse.h"
#include "ui/draw/draw.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ALONE_W 640 /* px, for words of a view that was never drawn */
#define ALONE_H 400
#define LETTERS                                                                \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

const struct legend_row plugged_legend[] = {
	{ ITEM_TEXT, LEGEND_INK(text), "what the plug-in says" },
	{ ITEM_TEXT, LEGEND_INK(dim), "what it says beside it" },
	{ ITEM_RECT, LEGEND_HUES, 0,
	    "the plug-in's own colours: its words say what they are" },
	{ 0 },
};

char plugged_name[PLUGINS_MAX][PLUGGED_NAME];

/* What is kept of a view: of what size it was. */
struct plugged_own {
	int32_t width, height;
};

void
plugged_name_set(unsigned slot, const char *name)
{
	snprintf(plugged_name[slot], PLUGGED_NAME, "%s", name);
}

/* Of a file. */
static void
name_of(const char *path, char name[PLUGGED_NAME])
{
	const char *slash = strrchr(path, '/');
	size_t n;

	snprintf(name, PLUGGED_NAME, "%.*s", PLUGGED_NAME - 1,
	    slash != NULL ? slash + 1 : path);
	n = strlen(name);
	if (n > 3 && strcmp(name + n - 3, ".so") == 0)
		name[n - 3] = '\0';
	for (char *c = name; *c != '\0'; c++)
		if (strchr(LETTERS, *c) == NULL)
			*c = '_';
}

/* One that is too long would be cut, one too many left out; of text alone. */
static bool
words_fit(const char *words)
{
	unsigned all = 0;

	for (const char *p = words; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return (false);
	if (!parse_text_ok(words))
		return (false);
	for (size_t n; *words != '\0'; words += n + (words[n] == ',')) {
		n = strcspn(words, ",");
		if (n >= PLUG_SAID || ++all > PLUGGED_SAID)
			return (false);
	}
	return (true);
}

bool
plugged_spec_read(const char *text, struct plugged_spec *s)
{
	size_t n = strspn(text, LETTERS), path;
	const char *words;

	memset(s, 0, sizeof(*s));
	if (text[n] == '=' && n > 0) {
		if (n >= sizeof(s->name))
			return (false);
		memcpy(s->name, text, n);
		text += n + 1;
	}
	words = strstr(text, ".so,");
	path = words != NULL ? (size_t)(words - text) + 3 : strlen(text);
	words = words != NULL ? words + 4 : "";
	if (path == 0 || path >= sizeof(s->path) ||
	    strlen(words) >= sizeof(s->words) || !words_fit(words))
		return (false);
	memcpy(s->path, text, path);
	snprintf(s->words, sizeof(s->words), "%s", words);
	if (s->name[0] == '\0')
		name_of(s->path, s->name);
	return (s->name[0] != '\0');
}

static uint32_t
rgb_of(const struct palette *p, unsigned colour)
{
	const uint32_t own[] = { [ORRERY_TEXT] = p->text,
		[ORRERY_DIM] = p->dim,
		[ORRERY_LINE] = p->line,
		[ORRERY_ACCENT] = p->accent,
		[ORRERY_WARN] = p->warn,
		[ORRERY_ERROR] = p->error };

	if (colour >= ORRERY_HUE)
		return (palette_pe_on(p, colour - ORRERY_HUE));
	return (colour < sizeof(own) / sizeof(own[0]) ? own[colour] : p->text);
}

static void
draw_text_item(struct canvas *c, const struct plug_item *i, const char *text,
    int32_t x, int32_t y, uint32_t rgb)
{
	int32_t px = text_width(FONT_SMALL, text, i->text_n);
	struct canvas was = *c;

	if (i->kind == PLUG_TEXT_RIGHT)
		x -= px;
	else if (i->w > 0)
		canvas_clip(c, x, was.clip_y0, x + i->w, was.clip_y1);
	canvas_text(c, FONT_SMALL, x, y, rgb, text, i->text_n);
	c->clip_x0 = was.clip_x0;
	c->clip_x1 = was.clip_x1;
}

static void
draw_button(struct ui *ui, struct canvas *c, const struct plug_item *i,
    const char *text, unsigned slot, const struct rect *r)
{
	int32_t x0 = r->x0 + i->x, y0 = r->y0 + i->y;
	struct rect at = { x0, y0, x0 + i->w, y0 + i->h };

	at.x1 = at.x1 < r->x1 ? at.x1 : r->x1;
	at.y1 = at.y1 < r->y1 ? at.y1 : r->y1;
	if (i->x < 0 || i->y < 0 || at.x1 <= at.x0 || at.y1 <= at.y0)
		return;
	draw_frame(c, &at, ui->palette->line);
	draw_text(c, FONT_SMALL, x0 + 6, (at.y0 + at.y1) / 2 + 4,
	    ui->palette->text, "%.*s", (int)i->text_n, text);
	spot_add(ui, at.x0, at.y0, at.x1, at.y1, "say %s %.*s",
	    plugged_name[slot], (int)i->text_n, text);
}

static void
draw_item(struct ui *ui, struct canvas *c, const struct plug_picture *p,
    const struct plug_item *i, unsigned slot, const struct rect *r)
{
	uint32_t rgb = rgb_of(ui->palette, i->colour);
	int32_t x = r->x0 + i->x, y = r->y0 + i->y;

	switch (i->kind) {
	case PLUG_RECT:
		canvas_fill(c, x, y, x + i->w, y + i->h, rgb);
		break;
	case PLUG_LINE:
		canvas_line_aa(c, x * 16 + 8, y * 16 + 8,
		    (r->x0 + i->w) * 16 + 8, (r->y0 + i->h) * 16 + 8, 20, rgb,
		    255);
		break;
	case PLUG_BUTTON:
		draw_button(ui, c, i, p->text + i->text, slot, r);
		break;
	default:
		draw_text_item(c, i, p->text + i->text, x, y, rgb);
	}
}

/* False: there is nobody to ask. */
static bool
get(struct ui *ui, unsigned slot, int32_t width, int32_t height, bool wait,
    struct plug_shown *to)
{
	enum view_id v = (enum view_id)(VIEW_PLUGIN_1 + slot);
	struct host *h = &ui->desks->host;
	struct plug_ask wish = { .width = width,
		.height = height,
		.scroll = ui->lists.scroll[v] };

	if (h->plugin_show_cb == NULL || plugged_name[slot][0] == '\0')
		return (false);
	if (wish.width < 1 || wish.height < 1 || wish.width > PLUG_SIZE_MAX ||
	    wish.height > PLUG_SIZE_MAX)
		return (false);
	if (wish.scroll > PLUG_SCROLL_MAX)
		wish.scroll = PLUG_SCROLL_MAX;
	if (!figures_range(ui, &wish.t0_mon_ns, &wish.t1_mon_ns))
		wish.t0_mon_ns = wish.t1_mon_ns = run_origin(ui);
	h->plugin_show_cb(h->export_arg, slot, &wish, wait, to);
	if (to->picture != NULL &&
	    ui->lists.scroll[v] > to->picture->head.scroll_most)
		ui->lists.scroll[v] = to->picture->head.scroll_most;
	return (true);
}

static void
draw_why(struct ui *ui, struct canvas *c, const struct rect *r, unsigned slot,
    const struct plug_shown *s)
{
	char line[PLUG_WHY + 2 * PLUGGED_NAME + 80];
	struct words w;

	snprintf(line, sizeof(line), "%s: %s.", plugged_name[slot],
	    s->why[0] != '\0' ? s->why : "waits for its first picture");
	words_begin(&w, r);
	draw_cut(c, FONT_SMALL, r->x0, w.baseline, r->x1 - r->x0,
	    s->why[0] != '\0' ? ui->palette->warn : ui->palette->dim, line);
	if (!s->over)
		return;
	w.baseline += WORDS_PX;
	snprintf(line, sizeof(line), "plugin %s", plugged_name[slot]);
	words_choice(ui, c, &w, "start it again", true, line);
}

static void
draw(struct ui *ui, struct canvas *c, const struct rect *r, unsigned slot)
{
	struct plugged_own *own =
	    view_own(ui, (enum view_id)(VIEW_PLUGIN_1 + slot), sizeof(*own));
	struct canvas was = *c;
	struct rect in = { r->x0, r->y0 + WORDS_PX, r->x1, r->y1 };
	struct plug_shown s;

	canvas_clip(c, r->x0, r->y0, r->x1, r->y1);
	if (!get(ui, slot, in.x1 - in.x0, in.y1 - in.y0, false, &s)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
		    "no plug-in");
	} else if (s.picture == NULL) {
		draw_why(ui, c, r, slot, &s);
	} else {
		const struct plug_reply *h = &s.picture->head;

		if (own != NULL) {
			own->width = in.x1 - in.x0;
			own->height = in.y1 - in.y0;
		}
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
		    h->permille < 1000 ? "%s%s%s%s: %s; %u %% of the log read"
				       : "%s%s%s%s: %s",
		    h->name, s.words[0] != '\0' ? " (" : "", s.words,
		    s.words[0] != '\0' ? ")" : "", h->about, h->permille / 10);
		canvas_clip(c, in.x0, in.y0, in.x1, in.y1);
		for (uint32_t i = 0; i < h->items; i++)
			draw_item(ui, c, s.picture, &s.picture->items[i], slot,
			    &in);
	}
	*c = was;
}

static void
describe(struct ui *ui, FILE *f, unsigned slot)
{
	struct plugged_own *own =
	    view_own(ui, (enum view_id)(VIEW_PLUGIN_1 + slot), sizeof(*own));
	bool known = own != NULL && own->width > 0;
	struct plug_shown s;

	if (!get(ui, slot, known ? own->width : ALONE_W,
		known ? own->height : ALONE_H, true, &s))
		return;
	if (s.picture == NULL) {
		fprintf(f, "plug-in %s: %s\n", plugged_name[slot],
		    s.why[0] != '\0' ? s.why : "waits for its first picture");
		return;
	}
	fprintf(f, "plug-in %s: %s, %s\n", plugged_name[slot],
	    s.picture->head.name, s.picture->head.about);
	if (s.words[0] != '\0')
		fprintf(f, "  opened with: %s\n", s.words);
	fprintf(f, "  events: %" PRIu64 "\n%s", s.picture->head.events,
	    s.picture->words);
}

/* A row of the table has functions of its own. */
#define PLUGIN(n)                                                              \
	bool plugin_##n##_there(const struct ui *ui)                           \
	{                                                                      \
		(void)ui;                                                      \
		return (plugged_name[(n)-1][0] != '\0');                       \
	}                                                                      \
	void plugin_##n##_draw(struct ui *ui, struct canvas *c,                \
	    const struct rect *r)                                              \
	{                                                                      \
		draw(ui, c, r, (n)-1);                                         \
	}                                                                      \
	void plugin_##n##_describe(struct ui *ui, FILE *f)                     \
	{                                                                      \
		describe(ui, f, (n)-1);                                        \
	}

PLUGIN(1)
PLUGIN(2)
PLUGIN(3)
PLUGIN(4)

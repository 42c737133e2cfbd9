/* Pictures of the whole window or of one view of it, as PNG or SVG. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/frame.h"
#include "ui/out/out.h"
#include "ui/out/png.h"

static const struct {
	const char *view;
	enum pane only;
} views[] = { { "all", PANES }, { "radial", PANE_TREE },
	{ "process-time", PANE_TIME } };

/*
 * Draws the view by itself, of so many dots, and puts everything back.  The
 * caller frees the pixels; NULL: memory is out.
 */
static uint32_t *
draw_aside(struct app *a, enum pane only, int32_t width, int32_t height,
    struct canvas *out)
{
	struct ui *ui = a->ui;
	int32_t w = ui->places.width, h = ui->places.height;
	bool mouse = ui->mouse.in;
	uint64_t frame = ui->picture.frame;
	enum pane was = ui->places.only;
	struct canvas c;
	uint32_t *px = calloc((size_t)width * (size_t)height, sizeof(*px));

	if (px == NULL)
		return (NULL);
	canvas_init_dots(&c, px, width, height, width);
	ui->places.only = only;
	ui->mouse.in = only == PANES && mouse;
	ui_resize(ui, c.width, c.height);
	ui_frame(ui, &c);
	ui->places.only = was;
	ui->mouse.in = mouse;
	ui->picture.frame = frame;
	ui_resize(ui, w, h);
	canvas_init(out, px, width, height, width);
	return (px);
}

/*
 * The picture of a view: what is shown, or drawn aside into *px, which the
 * caller frees.  -1 with errno.
 */
static int
picture_of(struct app *a, const char *view, int32_t width, int32_t height,
    struct canvas *out, uint32_t **px)
{
	*px = NULL;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		if (strcmp(view, views[i].view) != 0)
			continue;
		*out = a->canvas;
		if (views[i].only == PANES && width == 0 &&
		    a->ui->picture.frame > 0 &&
		    (a->window == NULL || window_last(a->window, out)))
			return (0);
		*px = draw_aside(a, views[i].only,
		    width > 0 ? width : canvas_dots(a->ui->places.width),
		    height > 0 ? height : canvas_dots(a->ui->places.height),
		    out);
		return (*px != NULL ? 0 : -1);
	}
	errno = EINVAL;
	return (-1);
}

static bool
is_svg(const char *path)
{
	size_t n = strlen(path);

	return (n > 4 && strcmp(path + n - 4, ".svg") == 0);
}

int
app_snapshot(struct app *a, const char *path, const char *view, int32_t width,
    int32_t height)
{
	struct canvas c;
	uint32_t *px;
	int ret;

	if (is_svg(path))
		return (svg_write(a->ui, path, view));
	if (picture_of(a, view, width, height, &c, &px) == -1)
		return (-1);
	ret = png_write(path, &c);
	free(px);
	return (ret);
}

/* Pictures of the whole window or of one view, as PNG or SVG. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/plugins.h"
#include "ui/out/out.h"
#include "ui/out/png.h"
#include "ui/panes/panes.h"
#include "ui/whole/frame.h"

/*
 * Draws the window, or one view of it by itself, of so many dots.  The caller
 * frees the pixels; NULL: memory is out.
 */
static uint32_t *
draw_dots(struct ui *ui, int32_t width, int32_t height, struct canvas *out)
{
	bool mouse = ui->mouse.in;
	uint64_t frame = ui->picture->frame;
	struct canvas c;
	uint32_t *px = calloc((size_t)width * (size_t)height, sizeof(*px));

	if (px == NULL)
		return (NULL);
	canvas_init_dots(&c, px, width, height, width);
	ui->mouse.in = ui->places.only == PANES && mouse;
	ui_resize(ui, c.width, c.height);
	ui_frame(ui, &c);
	ui->mouse.in = mouse;
	ui->picture->frame = frame;
	canvas_init(out, px, width, height, width);
	return (px);
}

/* The same, of a view by its name, and everything is put back.  errno. */
static uint32_t *
draw_aside(struct app *a, const char *view, int32_t width, int32_t height,
    struct canvas *out)
{
	struct ui *ui = a->ui;
	struct places was = ui->places;
	uint32_t *px = NULL;

	plugins_patient(a->plugins, true);
	if (strcmp(view, "all") == 0 ||
	    view_only(ui, view_named(view, strlen(view))))
		px = draw_dots(ui, width > 0 ? width : canvas_dots(was.width),
		    height > 0 ? height : canvas_dots(was.height), out);
	else
		errno = EINVAL;
	plugins_patient(a->plugins, false);
	ui->places = was;
	ui_resize(ui, was.width, was.height);
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
	*out = a->canvas;
	if (strcmp(view, "all") == 0 && width == 0 &&
	    a->ui->picture->frame > 0 &&
	    (a->window == NULL || window_last(a->window, out)))
		return (0);
	*px = draw_aside(a, view, width, height, out);
	return (*px != NULL ? 0 : -1);
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

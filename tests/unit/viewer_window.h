/* A window without a server on a run that was made up, and its pixels. */
#ifndef TESTS_VIEWER_WINDOW_H
#define TESTS_VIEWER_WINDOW_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/unit/make_model.h"
#include "ui/commands/command.h"

#define W         900
#define H         600
#define GUARD     16 /* px right of each row that nobody may touch */
#define GUARD_RGB 0xdeadbeefu

struct fixture {
	struct model *model;
	struct feed_status feed;
};

static inline int
setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	assert_non_null(fx);
	fx->model = make_pascal_model(20, 3, 1000000, 30000);
	fx->feed.connected = fx->feed.finished = true;
	snprintf(fx->feed.source, sizeof(fx->feed.source), "test");
	assert_true(model_tasks(fx->model) > 100);
	*state = fx;
	return (0);
}

static inline int
teardown(void **state)
{
	struct fixture *fx = *state;

	model_free(fx->model);
	free(fx);
	return (0);
}

static inline struct ui *
new_ui(struct fixture *fx, int32_t w, int32_t h)
{
	struct ui *ui = ui_new(&palette_dark);

	assert_non_null(ui);
	ui_resize(ui, w, h);
	ui_refresh(ui, fx->model, &fx->feed);
	return (ui);
}

/* A finished run, all of it in sight, in a window of W x H; then a command. */
static inline struct ui *
ui_put(struct model *m, const char *command)
{
	struct fixture fx = { m, { .connected = true, .finished = true } };
	struct ui *ui = new_ui(&fx, W, H);

	time_fit(ui);
	assert_int_equal(command_run(ui, command), 0);
	return (ui);
}

/* What a view says in words; to be freed. */
static inline char *
words_of(struct ui *ui, void (*describe)(struct ui *, FILE *))
{
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	describe(ui, f);
	fclose(f);
	return (text);
}

static inline uint32_t *
new_px(int32_t w, int32_t h)
{
	uint32_t *px = malloc((size_t)(w + GUARD) * (size_t)h * 4);

	assert_non_null(px);
	for (size_t i = 0; i < (size_t)(w + GUARD) * (size_t)h; i++)
		px[i] = GUARD_RGB;
	return (px);
}

static inline void
frame(struct ui *ui, uint32_t *px)
{
	struct canvas c;

	canvas_init(&c, px, ui->places.width, ui->places.height,
	    ui->places.width + GUARD);
	ui_frame(ui, &c);
	for (int32_t y = 0; y < ui->places.height; y++)
		for (int32_t x = 0; x < GUARD; x++)
			assert_int_equal(px[(size_t)y *
						 (size_t)(ui->places.width +
							  GUARD) +
					     (size_t)(ui->places.width + x)],
			    GUARD_RGB);
}

static inline uint64_t
hash(const uint32_t *px, int32_t w, int32_t h)
{
	uint64_t v = 0xcbf29ce484222325u;

	for (size_t i = 0; i < (size_t)(w + GUARD) * (size_t)h; i++)
		v = (v ^ px[i]) * 0x100000001b3u;
	return (v);
}

#endif

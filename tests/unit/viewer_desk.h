/* A window on a run whose names want to be escaped, and a directory. */
#ifndef TESTS_VIEWER_DESK_H
#define TESTS_VIEWER_DESK_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/check.h"
#include "tests/unit/make_model.h"
#include "tests/unit/make_pascal.h"
#include "ui/input/input.h"

#define W 1200
#define H 800

struct fixture {
	struct model *m;
	struct ui *ui;
	struct canvas c;
	uint32_t *px;
	char dir[64], path[96];
};

static inline int
setup(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));
	struct pascal *p = calloc(1, sizeof(*p));
	struct make_log log = { 0 };

	assert_non_null(x);
	assert_non_null(p);
	make_log_head(&log, "desk <&>");
	make_log_node(&log, 1, "n<0>");
	make_log_po(&log, 1, 1, "pascal");
	make_pascal(p, &log, 12, 3, 1, 1, 1000000, 30000);
	make_log_sort(&log);
	x->m = make_model(&log);
	free(p);
	x->ui = make_ui(x->m, &x->c, &x->px, W, H);
	ui_frame(x->ui, &x->c);
	snprintf(x->dir, sizeof(x->dir), "/tmp/orrery-desk.XXXXXX");
	assert_non_null(mkdtemp(x->dir));
	snprintf(x->path, sizeof(x->path), "%s/a/b/viewer.conf", x->dir);
	*state = x;
	return (0);
}

static inline int
teardown(void **state)
{
	struct fixture *x = *state;
	char line[160];

	snprintf(line, sizeof(line), "rm -rf %s", x->dir);
	assert_int_equal(system(line), 0);
	ui_free(x->ui);
	model_free(x->m);
	free(x->px);
	free(x);
	return (0);
}

/* The file of settings. */
static inline void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Nothing is open, hidden or about to end. */
static inline void
tidy_up(struct fixture *x)
{
	struct ui *ui = x->ui;

	ui->prompt.kind = 0;
	ui->menu->open = ui->desks->help.open = ui->desks->host.quit =
	    ui->places.maximised = false;
	ui->places.hidden = 0;
	ui->told.message[0] = '\0';
	ui->told.did = NULL;
	ui_frame(ui, &x->c);
}

#endif

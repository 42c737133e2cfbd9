/* What a row of the table may say instead of a function, and memory for it. */
#include "ui/views/view.h"

#include <stdlib.h>

bool
view_always(const struct ui *ui)
{
	(void)ui;
	return (true);
}

bool
view_ready(struct ui *ui)
{
	(void)ui;
	return (true);
}

void
view_blank(struct ui *ui, struct canvas *c, const struct rect *r)
{
	(void)ui;
	(void)c;
	(void)r;
}

void *
view_own(struct ui *ui, enum view_id v, size_t n)
{
	if (ui->lists.own[v] == NULL)
		ui->lists.own[v] = calloc(1, n);
	return (ui->lists.own[v]);
}

void
view_own_free(struct ui *ui)
{
	for (int i = 0; i < VIEWS; i++) {
		free(ui->lists.own[i]);
		ui->lists.own[i] = NULL;
	}
}

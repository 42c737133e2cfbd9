/*
 * What is selected, as text for other programs: a selected range is a line of
 * its own, then come the details.
 */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

static void
range_text(struct ui *ui, FILE *f)
{
	char a[40], b[40], d[32];
	int64_t t0, t1;

	if (!time_selected(ui, &t0, &t1))
		return;
	fprintf(f, "range\t%s\t%s\t%s\n", run_time(ui, t0, 1, a, sizeof(a)),
	    run_time(ui, t1, 1, b, sizeof(b)),
	    format_span(d, sizeof(d), t1 - t0));
}

int
command_offer(struct ui *ui, bool clipboard)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL)
		return (desk_fail(ui, "out of memory"));
	range_text(ui, f);
	details_text(ui, f);
	if (fclose(f) != 0) {
		free(text);
		return (desk_fail(ui, "out of memory"));
	}
	free(ui->desks->host.copied);
	ui->desks->host.copied = text;
	ui->desks->host.offer = clipboard ? OFFER_BOTH : OFFER_PRIMARY;
	return (0);
}

static int
copy(struct ui *ui, const char *arg)
{
	(void)arg;
	if (command_offer(ui, true) == -1)
		return (-1);
	snprintf(ui->told.message, sizeof(ui->told.message), "copied: %.*s",
	    (int)strcspn(ui->desks->host.copied, "\n"), ui->desks->host.copied);
	return (0);
}

const struct command command_copy[] = {
	{ "copy", "", "copies what is selected, as text", copy },
	{ 0 },
};

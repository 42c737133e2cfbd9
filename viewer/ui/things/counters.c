/* See counters.h. */
#include "counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

static unsigned
unit_of(const struct counter *c)
{
	return (c->measure & MEASURE_UNIT);
}

bool
counters_range(const struct ui *ui, int64_t *t0, int64_t *t1)
{
	if (!figures_range(ui, t0, t1))
		return (false);
	*t1 += *t1 >= model_last_ns(ui->model) || *t1 == ui->play.head_mon_ns;
	return (true);
}

const char *
counter_label(const struct ui *ui, const struct counter *c)
{
	return (c->label != NULL ? c->label : label_name(ui->model, c->name));
}

uint32_t
counter_colour(const struct ui *ui, const struct counter *c)
{
	return (palette_on(ui->palette,
	    c->label != NULL ? palette_name(c->name, c->label)
			     : palette_of_name(ui->model, c->name)));
}

/* Behind a number: " EUR". */
static char *
with_unit(const struct counter *c, char *buf, size_t n)
{
	size_t at = strlen(buf);

	if (*c->unit != '\0')
		snprintf(buf + at, n - at, " %s", c->unit);
	return (buf);
}

char *
counter_number(const struct counter *c, double v, char *buf, size_t n)
{
	if (unit_of(c) == MEASURE_NS)
		return (format_span(buf, n, llround(v)));
	if (unit_of(c) == MEASURE_BYTES && v >= 0)
		return (format_bytes(buf, n, (uint64_t)llround(v)));
	if (unit_of(c) == MEASURE_THOUSANDTHS)
		snprintf(buf, n, "%.2f", v / 1000);
	else if (fabs(v) >= 999.5 && fabs(v) < 1e15)
		format_short(buf, n, v);
	else
		snprintf(buf, n, "%.4g", v);
	return (with_unit(c, buf, n));
}

char *
counter_value(const struct counter *c, int64_t value, char *buf, size_t n)
{
	double v;

	if (c->real) {
		memcpy(&v, &value, sizeof(v));
		snprintf(buf, n, "%.6g", v);
		return (with_unit(c, buf, n));
	}
	if (unit_of(c) != MEASURE_COUNT)
		return (counter_number(c, (double)value, buf, n));
	buf[0] = '-';
	if (value >= 0)
		format_count(buf, n, (uint64_t)value);
	else
		format_count(buf + 1, n - 1, -(uint64_t)value);
	return (with_unit(c, buf, n));
}

char *
counter_growth(const struct counter *c, double rate, char *buf, size_t n)
{
	char num[32];

	if (unit_of(c) == MEASURE_NS)
		snprintf(buf, n, "%.*f %%", rate < 1e8 ? 1 : 0, rate / 1e7);
	else
		snprintf(buf, n, "%s/s",
		    counter_number(c, rate, num, sizeof(num)));
	return (buf);
}

char *
counter_owner(const struct ui *ui, const struct counter *c, char *buf, size_t n)
{
	const struct lane *l = model_lane(ui->model, c->lane);
	const char *node = label_node(ui->model, l->node);
	char name[96];

	if (l->kind == LANE_NODE)
		snprintf(buf, n, "%s", node);
	else
		snprintf(buf, n, "%s/%" PRIu32 " %s", node, l->po,
		    l->kind == LANE_PO
			? label_program(ui->model, l->node, l->po)
			: label_lane(ui->model, l, name, sizeof(name)));
	return (buf);
}

/* " ended at 3.2 s": whose it is is no more at the end of the range. */
static void
put_over(const struct ui *ui, uint32_t i, int64_t t1, char *buf, size_t n)
{
	char when[40];
	int64_t end;
	size_t at = strlen(buf);

	if (model_counter_over(ui->model, i, &end) && end + 1 < t1)
		snprintf(buf + at, n - at, "%sended at %s", at > 0 ? ", " : "",
		    run_time(ui, end, 1000, when, sizeof(when)));
}

bool
counter_now(const struct ui *ui, uint32_t i, char *buf, size_t n)
{
	char value[40], growth[40];
	struct series_stats st;
	struct counter c;
	int64_t t0, t1;
	double rate;

	buf[0] = '\0';
	if (!counters_range(ui, &t0, &t1) || !model_counter(ui->model, i, &c))
		return (false);
	model_counter_stats(ui->model, i, t0, t1, &st);
	if (st.known)
		counter_value(&c, st.last, buf, n);
	if (st.known && (c.measure & MEASURE_TOTAL) &&
	    model_counter_rate(ui->model, i, t0, t1, &rate)) {
		snprintf(value, sizeof(value), "%s", buf);
		snprintf(buf, n, "%s, %s", value,
		    counter_growth(&c, rate, growth, sizeof(growth)));
	}
	put_over(ui, i, t1, buf, n);
	return (buf[0] != '\0');
}

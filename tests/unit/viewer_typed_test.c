/*
 * What is typed into the window and what it says: times, figures, keys and
 * commands are understood or refused, what is counted and described is so.
 */
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/viewer_says.h"
#include "tests/unit/viewer_window.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/draw/draw.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

static void
times_are_understood(void **state)
{
	static const struct {
		const char *text;
		int ret;
		int64_t ns;
	} cases[] = { { "12.4", 0, 12400000000 }, { "12.4s", 0, 12400000000 },
		{ "350ms", 0, 350000000 }, { "20us", 0, 20000 },
		{ "20 µs", 0, 20000 }, { "7ns", 0, 7 }, { "-1ms", 0, -1000000 },
		{ ".5", 0, 500000000 }, { "", -1, 0 }, { "s", -1, 0 },
		{ "3h", -1, 0 }, { "nan", -1, 0 }, { "1e30", -1, 0 },
		{ "1 2", -1, 0 } };
	int64_t t0, t1;
	int32_t w, h;
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ns = 0;

		if (parse_time(cases[i].text, &ns) != cases[i].ret ||
		    ns != cases[i].ns)
			fail_msg("\"%s\": %lld", cases[i].text, (long long)ns);
	}
	assert_int_equal(parse_range("1s:1500ms", &t0, &t1), 0);
	assert_int_equal(t1 - t0, 500000000);
	assert_int_equal(parse_range("1.25..1.5", &t0, &t1), 0);
	assert_int_equal(t0, 1250000000);
	assert_int_equal(parse_range("2:1", &t0, &t1), -1);
	assert_int_equal(parse_range("2", &t0, &t1), -1);
	assert_int_equal(parse_range("2:", &t0, &t1), -1);
	assert_int_equal(parse_size("1600x1000", &w, &h), 0);
	assert_int_equal(parse_size("1600x", &w, &h), -1);
	assert_int_equal(parse_size("10x10", &w, &h), -1);
	assert_int_equal(parse_size("1600x1000x", &w, &h), -1);
	assert_int_equal(parse_number("0x10", &v), 0);
	assert_int_equal(v, 16);
	assert_int_equal(parse_number("-1", &v), -1);
	assert_int_equal(parse_memory("1.5G", &v), 0);
	assert_true(v == (uint64_t)3 << 29);
	assert_int_equal(parse_memory("65536k", &v), 0);
	assert_true(v == (uint64_t)64 << 20);
	assert_int_equal(parse_memory("10%", &v), 0);
	assert_true(v > 0);
	assert_int_equal(parse_memory("0%", &v), -1);
	assert_int_equal(parse_memory("9e99%", &v), -1);
	assert_int_equal(parse_memory("101%", &v), -1);
	assert_int_equal(parse_memory("100", &v), -1);
	assert_int_equal(parse_memory("1M", &v), -1);
	assert_int_equal(parse_memory("-1G", &v), -1);
	assert_int_equal(parse_memory("lots", &v), -1);
}

static void
figures_read_well(void **state)
{
	char b[40];

	(void)state;
	assert_string_equal(format_count(b, sizeof(b), 0), "0");
	assert_string_equal(format_count(b, sizeof(b), 999), "999");
	assert_string_equal(format_count(b, sizeof(b), 1204), "1,204");
	assert_string_equal(format_count(b, sizeof(b), 1234567890),
	    "1,234,567,890");
	assert_string_equal(format_short(b, sizeof(b), 1240000), "1.24 M");
	assert_string_equal(format_short(b, sizeof(b), 999600), "1.00 M");
	assert_string_equal(format_short(b, sizeof(b), 42), "42");
	assert_string_equal(format_span(b, sizeof(b), 3200000), "3.20 ms");
	assert_string_equal(format_span(b, sizeof(b), 41000), "41.0 µs");
	assert_string_equal(format_bytes(b, sizeof(b), 999), "999 bytes");
	assert_string_equal(format_bytes(b, sizeof(b), 1000), "1.00 KB");
	assert_string_equal(format_bytes(b, sizeof(b), 54321), "54.3 KB");
	assert_string_equal(format_bytes(b, sizeof(b), 999499), "999 KB");
	assert_string_equal(format_bytes(b, sizeof(b), 999500), "1.00 MB");
	assert_string_equal(format_bytes(b, sizeof(b), 1203000000), "1.20 GB");
	assert_string_equal(format_span(b, sizeof(b), 999999), "1.00 ms");
	assert_string_equal(format_span(b, sizeof(b), 0), "0 ns");
	assert_string_equal(format_time(b, sizeof(b), 12430900000, 100000),
	    "12.4309 s");
	assert_string_equal(format_time(b, sizeof(b), 12999960000, 100000),
	    "13.0000 s");
	assert_string_equal(format_time(b, sizeof(b), -5000000, 1000000),
	    "-0.005 s");
	assert_string_equal(format_time(b, sizeof(b), 7000000000, 1000000000),
	    "7 s");
}

static void
every_key_is_a_command(void **state)
{
	struct ui *ui = new_ui(*state, W, H);
	const char *keys, *line, *what, *name, *args;
	uint32_t *px = new_px(W, H);

	for (unsigned i = 0; keys_each(KEYMAP_ORRERY, i, &keys, &line, &what);
	     i++) {
		unsigned found = 0;

		assert_true(what[0] != '\0');
		for (unsigned k = 0;
		     line != NULL && command_each(k, &name, &args, &what); k++)
			found += strncmp(name, line, strcspn(line, " ")) == 0 &&
				 name[strcspn(line, " ")] == '\0';
		if (line != NULL && found != 1)
			fail_msg("key %s: no command %s", keys, line);
		/* none of its keys means something else as well */
		for (unsigned k = i + 1;
		     keys_each(KEYMAP_ORRERY, k, &name, &args, &what); k++)
			if (line != NULL && args != NULL)
				assert_true(strcmp(keys, name) != 0);
	}
	frame(ui, px);
	free(px);
	ui_free(ui);
}

static void
commands_refuse_nonsense(void **state)
{
	static const char *const bad[] = { "", "frobnicate", "p", "range",
		"range 2:1", "range x:y", "colour mauve", "tab Nothing",
		"split 2000 1", "select-task 99999999", "select-task x",
		"fold 99999999", "select-row -1", "speed -1", "centre here",
		"lanes blue", "form cube", "order last", "scale pink",
		"tree 99", "up", "parent", "query tomorrow", "search qqqqq",
		"next" };
	struct ui *ui = new_ui(*state, W, H);
	uint32_t *px = new_px(W, H);

	frame(ui, px);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ui->told.message[0] = '\0';
		if (command_run(ui, bad[i]) != -1)
			fail_msg("\"%s\" was taken", bad[i]);
		assert_true(ui->told.message[0] != '\0');
		frame(ui, px);
	}
	free(px);
	ui_free(ui);
}

static void
tasks_are_counted_exactly(void **state)
{
	struct fixture *fx = *state;
	struct ui *ui = new_ui(fx, W, H);
	int64_t first = run_origin(ui), last = run_end(ui);
	int64_t step = (last - first) / 13 + 1;
	uint32_t n = model_tasks(fx->model);

	for (int64_t t0 = first - step; t0 < last; t0 += step)
		for (int64_t t1 = t0; t1 < last + 2 * step; t1 += step) {
			uint64_t want = 0;

			for (uint32_t i = 0; i < n; i++) {
				int64_t at =
				    model_task(fx->model, i)->begin_mon_ns;

				want += at >= t0 && at < t1;
			}
			assert_int_equal(tasks_in(ui, t0, t1), want);
		}
	ui_free(ui);
}

/* --describe says of a node what the picture says of it. */
static void
nodes_are_described(void **state)
{
	static const char *const lines[] = {
		"  n2: clock locked +-3 ns, not believed; lost 0, late 12, "
		"orphans 0, before their cause 0, stalls 1, steps 1\n",
		"s: clock coarse +-50 ns\n",
		"0.000000300 s to 0.000000500 s: clock holdover +-90 ns\n",
		"0.000000500 s to 0.000000600 s: clock stepped +-800 ns\n",
		"0.000000610 s to 0.000000700 s: silent\n",
		"0.000000720 s to the end: clock wrong by 33 ns\n",
		"  n1: clock unsynced; lost 0, late 0, orphans 0, "
		"before their cause 0, stalls 0, steps 0\n",
	};
	struct feed_status feed = { .connected = true, .finished = true };
	struct make_log log = { 0 };
	struct model *m;
	struct ui *ui;
	char *text = NULL;
	uint32_t monitor;
	size_t n;
	FILE *out;

	(void)state;
	make_log_head(&log, "clocks");
	monitor = make_log_trouble(&log);
	make_log_event(&log, monitor, EV_distrust, 720, 33, 3, 2);
	m = make_model(&log);
	ui = ui_new(&palette_dark);
	ui_resize(ui, W, H);
	ui_refresh(ui, m, &feed);
	out = open_memstream(&text, &n);
	assert_non_null(out);
	ui_describe(ui, out);
	fclose(out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strstr(text, lines[i]) == NULL)
			fail_msg("%s is missing in\n%s", lines[i], text);
	free(text);
	ui_free(ui);
	model_free(m);
}

/* As monitorctl's do; the first event comes half a second later. */
static void
times_count_from_the_start_of_the_run(void **state)
{
	struct fixture *fx = *state;
	int64_t first = model_first_ns(fx->model), at;
	uint32_t *px = new_px(W, H);
	struct ui *ui;
	char buf[40], *text;

	snprintf(fx->feed.run, sizeof(fx->feed.run), "0011");
	fx->feed.start_mon_ns = first - 500000000;
	/* 2001-09-09 01:46:40 */
	fx->feed.start_real_ns = 1000000000ll * 1000000000;
	ui = new_ui(fx, W, H);
	frame(ui, px);
	at = ui->time.t0_mon_ns; /* all of it is in sight, and no more */
	assert_true(at <= first && at > first - 10000000);
	assert_string_equal(run_time(ui, first, 1000000, buf, sizeof(buf)),
	    "0.500 s");
	assert_int_equal(command_run(ui, "range 501ms:502ms"), 0);
	assert_int_equal(ui->time.t0_mon_ns, first + 1000000);
	frame(ui, px);
	text = described(ui);
	assert_non_null(
	    strstr(text, "range: 0.501000 s to 0.502000 s, of 0.5"));
	assert_non_null(strstr(text, "started: 2001-09-09 01:46:40 UTC\n"));
	assert_non_null(strstr(text, "begins: 500000000 ns\n"));
	free(text);
	assert_int_equal(command_run(ui, "clock utc"), 0);
	assert_string_equal(run_time(ui, first, 1000000, buf, sizeof(buf)),
	    "01:46:40.500");
	assert_string_equal(run_time(ui, first - 600000000, 1000000000, buf,
				sizeof(buf)),
	    "01:46:40");
	assert_int_equal(command_run(ui, "clock gmt"), -1);
	assert_int_equal(command_run(ui, "clock"), 0);
	assert_false(ui->timepane.utc);
	ui_free(ui);
	free(px);
	fx->feed.run[0] = '\0';
	fx->feed.start_mon_ns = fx->feed.start_real_ns = 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_described),
		cmocka_unit_test(times_are_understood),
		cmocka_unit_test(times_count_from_the_start_of_the_run),
		cmocka_unit_test(figures_read_well),
		cmocka_unit_test(every_key_is_a_command),
		cmocka_unit_test(commands_refuse_nonsense),
		cmocka_unit_test(tasks_are_counted_exactly),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}

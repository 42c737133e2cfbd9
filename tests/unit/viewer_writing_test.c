/* A long list of spans is written between frames, and can be stopped. */
#include "tests/check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/make_feed.h"
#include "tests/unit/viewer_ui.h"
#include "ui/out/out.h"

#define CALLS 20000

static char dir[] = "/tmp/orrery-writing.XXXXXX";
static char at_once[64], parts[64];
static bool hurry;
static struct feed_made feed;

/* Somebody waits for a frame? */
static bool
waits(void *arg)
{
	(void)arg;
	return (hurry);
}

/* Calls of one thread. */
static void
grow(struct model *m, uint32_t location)
{
	struct event *e = calloc(2 * CALLS, sizeof(*e));

	assert_non_null(e);
	feed_fill(&feed, e, 2 * CALLS);
	for (size_t i = 0; i < 2 * CALLS; i++)
		e[i].location = location;
	model_add_events(m, e, 2 * CALLS);
	free(e);
}

static int
setup(void **state)
{
	struct model *m = feed_model(2);
	struct fixture *x;

	memset(&feed, 0, sizeof(feed));
	feed.lanes = 1;
	feed.now = 1000;
	grow(m, 1);
	open_on(state, m, 800, 600);
	x = *state;
	x->ui->time.selected_lane = model_location_lane(m, 1);
	hurry = false;
	return (0);
}

/* As in the loop of a window. */
static void
begin(struct fixture *x)
{
	char line[100];

	x->ui->picture->stop_cb = waits;
	snprintf(line, sizeof(line), "export %s", parts);
	assert_int_equal(command_run(x->ui, line), 0);
}

static size_t
read_all(const char *path, char **text)
{
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	n = (size_t)ftell(f);
	rewind(f);
	*text = calloc(1, n + 1);
	assert_non_null(*text);
	assert_int_equal(fread(*text, 1, n, f), n);
	fclose(f);
	return (n);
}

static unsigned
files(void)
{
	DIR *d = opendir(dir);
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return (n - 2);
}

/* What is done meanwhile, and what the run does, is no matter. */
static void
parts_are_the_whole(void **state)
{
	struct fixture *x = *state;
	unsigned n = 0, told = 0, percent, last = 0;
	char line[100], *a, *b;

	snprintf(line, sizeof(line), "export %s", at_once);
	assert_int_equal(command_run(x->ui, line), 0);
	assert_false(list_goes_on(x->ui));
	begin(x);
	assert_true(list_goes_on(x->ui));
	assert_int_not_equal(access(parts, F_OK), 0);
	x->ui->time.selected_lane = model_location_lane(x->m, 2);
	time_range(x->ui, 2000, 3000);
	grow(x->m, 2);
	for (; list_goes_on(x->ui); n++) {
		assert_int_equal(sscanf(x->ui->told.goes_on, "%u %% of",
				     &percent),
		    1);
		assert_true(percent >= last && percent < 100);
		told += percent > last;
		last = percent;
		assert_true(list_go_on(x->ui));
	}
	assert_true(n > 10 && told > 10);
	assert_string_equal(x->ui->told.goes_on, "");
	assert_false(x->ui->told.failed);
	assert_non_null(strstr(x->ui->told.message, "written to"));
	assert_int_equal(read_all(at_once, &a), read_all(parts, &b));
	assert_string_equal(a, b);
	free(a);
	free(b);
	unlink(at_once);
	unlink(parts);
}

/* As soon as somebody waits for a frame, no more than a part is written. */
static void
a_key_comes_first(void **state)
{
	struct fixture *x = *state;
	unsigned calm = 0, hurried = 0;

	begin(x);
	while (list_go_on(x->ui))
		calm++;
	hurry = true;
	begin(x);
	while (list_go_on(x->ui))
		hurried++;
	assert_true(2 * hurried > 3 * calm);
	unlink(parts);
}

static void
it_can_be_stopped(void **state)
{
	static const char *const by[] = { "clear", "export-stop" };
	struct fixture *x = *state;
	char *a, *b;

	begin(x);
	while (list_go_on(x->ui))
		continue;
	read_all(parts, &a);
	for (int i = 0; i < 2; i++) {
		grow(x->m, 1);
		begin(x);
		list_go_on(x->ui);
		assert_int_equal(files(), 2);
		assert_int_equal(command_run(x->ui, by[i]), 0);
		assert_false(list_goes_on(x->ui));
		assert_false(list_go_on(x->ui));
		assert_non_null(strstr(x->ui->told.message, "stopped"));
		assert_int_equal(files(), 1); /* the one before, as it was */
		read_all(parts, &b);
		assert_string_equal(a, b);
		free(b);
	}
	/* it was nothing else that was cleared */
	assert_int_equal(x->ui->time.selected_lane,
	    model_location_lane(x->m, 1));
	assert_int_equal(command_run(x->ui, "export-stop"), -1);
	free(a);
	unlink(parts);
}

static void
only_one_at_a_time(void **state)
{
	struct fixture *x = *state;
	char line[100];

	begin(x);
	snprintf(line, sizeof(line), "export %s", at_once);
	assert_int_equal(command_run(x->ui, line), -1);
	assert_non_null(strstr(x->ui->told.message, "still being written"));
	assert_true(list_goes_on(x->ui));
	/* the window goes while it is written: nothing is left of it */
	ui_free(x->ui);
	assert_int_equal(files(), 0);
	x->ui = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(parts_are_the_whole, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(a_key_comes_first, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(it_can_be_stopped, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(only_one_at_a_time, setup,
		    teardown),
	};
	int failed;

	if (mkdtemp(dir) == NULL)
		return (1);
	snprintf(at_once, sizeof(at_once), "%s/at-once.tsv", dir);
	snprintf(parts, sizeof(parts), "%s/parts.tsv", dir);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(dir);
	return (failed);
}

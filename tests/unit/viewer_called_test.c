/* How threads are called, of which nobody or everybody has said a name. */
#include "tests/check.h"

#include <string.h>

#include "tests/unit/make_model.h"

/* Of program "a-program-with-a-name", of which the system keeps 15 bytes. */
static const struct {
	const char *comm, *begun, *said, *label;
} cases[] = {
	{ "a-program-with-", "", "", "a-program-with-" }, /* the first one */
	{ "a-program-with-", "", "", "a-program-with- 2" },
	{ "a-program-with-", "worker", "", "worker 3" },
	{ "a-program-with-", "worker", "", "worker 4" },
	{ "a-program-with-", "worker", "boss", "boss" },
	{ "a-program-with-", "", "a-program-with-", "a-program-with-" },
	{ "flusher", "", "", "flusher" },
	{ "flusher", "worker", "", "flusher" },
	{ "a-program", "", "", "a-program" }, /* its own, shorter */
};
#define N (sizeof(cases) / sizeof(cases[0]))

static uint32_t
name_of(struct make_log *l, const char *text)
{
	return (*text == '\0' ? 0 : make_log_name(l, text));
}

static void
a_thread_without_a_name_has_a_number(void **state)
{
	struct make_log l = { 0 };
	uint32_t at[N];
	struct model *m;
	char label[64];

	(void)state;
	make_log_head(&l, "called");
	make_log_node(&l, 1, "n1");
	make_log_po(&l, 1, 1, "a-program-with-a-name");
	for (uint32_t i = 0; i < N; i++)
		at[i] = make_log_thread(&l, 1, 1, i + 1, cases[i].comm);
	for (uint32_t i = 0; i < N; i++) {
		make_log_event(&l, at[i], EV_thread_begin, 1000 + i, 7, 0,
		    name_of(&l, cases[i].begun));
		if (cases[i].said[0] != '\0')
			make_log_event(&l, at[i], EV_thread_name, 2000 + i, 0,
			    0, name_of(&l, cases[i].said));
	}
	make_log_sort(&l);
	m = make_model(&l);
	for (uint32_t i = 0; i < N; i++) {
		model_lane_label(m, model_location_lane(m, at[i]), label,
		    sizeof(label));
		assert_string_equal(label, cases[i].label);
	}
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_without_a_name_has_a_number),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}

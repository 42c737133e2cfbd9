/* What all views have by being in the table. */
#include "tests/unit/viewer_desk.h"

#include <string.h>

#include "app/frame.h"
#include "ui/desk/desk.h"
#include "ui/views/view.h"

/* Zero at first, the same from frame to frame, and away with the run. */
static void
a_view_has_memory_of_its_own(void **state)
{
	struct fixture *x = *state;
	struct make_log log = { 0 };
	struct model *m;
	uint64_t *own = view_own(x->ui, VIEW_STACKS, sizeof(*own));

	assert_non_null(own);
	assert_true(*own == 0);
	*own = 7;
	assert_ptr_not_equal(view_own(x->ui, VIEW_SPANS, 8), own);
	ui_frame(x->ui, &x->c);
	assert_ptr_equal(view_own(x->ui, VIEW_STACKS, sizeof(*own)), own);
	make_log_head(&log, "another");
	make_log_node(&log, 1, "n0");
	make_log_sort(&log);
	m = make_model(&log);
	ui_refresh(x->ui, m, &x->ui->feed);
	own = view_own(x->ui, VIEW_STACKS, sizeof(*own));
	assert_true(*own == 0);
	ui_refresh(x->ui, x->m, &x->ui->feed);
	model_free(m);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_view_has_memory_of_its_own),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}

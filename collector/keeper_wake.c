/*
 * Processes without a collector are told of a new one, by their wake pages.
 */
#include "wake.h"

#include "keeper_inside.h"
#include "options.h"

static void
set_all(const char *runtime, uint32_t mask)
{
	struct wake_page *page;
	struct stat dir;
	int last = wake_last();

	if (stat(runtime, &dir) == -1)
		return;
	for (int i = 0; i <= last; i++) {
		page = wake_at(i, &dir);
		if (page == NULL)
			continue;
		if (mask != 0)
			atomic_fetch_add(&page->generation, 1);
		atomic_store(&page->mask, mask);
		shmdt(page);
	}
}

void
keeper_wake(const struct keeper *k)
{
	set_all(k->opt->runtime, ~0u);
}

void
keeper_wake_end(const struct keeper *k)
{
	set_all(k->opt->runtime, 0);
}

/* See linkpiece.h. */
#include "linkpiece.h"

#include <stdlib.h>

#define LINKS_ASK  2048
#define LINKS_MOST (1 << 20) /* at one and the same ns */

struct link *
link_piece(const struct model *m, int64_t at, int64_t end, int way,
    int64_t *step_ns, int64_t *to, size_t *n)
{
	size_t most = LINKS_ASK;
	struct link *links = malloc((most + 1) * sizeof(*links)), *more;
	int64_t span;

	for (; links != NULL; *step_ns = *step_ns / 2 + (*step_ns == 1)) {
		span = end - at < *step_ns ? end - at : *step_ns;
		*to = way < 0 ? end - span : at + span;
		*n = way < 0 ? model_links(m, *to, end, links, most)
			     : model_links(m, at, *to, links, most);
		if (*n <= most)
			break;
		if (*step_ns > 1)
			continue;
		most *= 4;
		more = most > LINKS_MOST
			   ? NULL
			   : realloc(links, (most + 1) * sizeof(*links));
		if (more == NULL) { /* too many at once: what is there */
			*n = most / 4;
			break;
		}
		links = more;
	}
	if (links != NULL && *n * 4 < LINKS_ASK && *step_ns < INT64_MAX / 4)
		*step_ns *= 2;
	return (links);
}

/* Reads the links of a piece of time that is short enough for them. */
#include "linkpiece.h"

#include <stdlib.h>

#define LINKS_ASK  2048
#define LINKS_MOST (1 << 20) /* at one and the same ns */

/*
 * Room for four times as many as touch the piece's first instant: where that
 * many are always under way, no piece could be short enough for less.
 */
static size_t
room_for(const struct model *m, int64_t at, int64_t end, int way,
    struct link **links)
{
	size_t most = LINKS_ASK;
	struct link *more;

	while (*links != NULL && most < LINKS_MOST) {
		size_t n = way < 0
			       ? model_links(m, end - 1, end, *links, most / 4)
			       : model_links(m, at, at + 1, *links, most / 4);

		if (n <= most / 4)
			break;
		more = realloc(*links, (most * 4 + 1) * sizeof(*more));
		if (more == NULL)
			break;
		*links = more;
		most *= 4;
	}
	return (most);
}

struct link *
link_piece(const struct model *m, int64_t at, int64_t end, int way,
    int64_t *step_ns, int64_t *to, size_t *n)
{
	struct link *links = malloc((LINKS_ASK + 1) * sizeof(*links)), *more;
	size_t most = room_for(m, at, end, way, &links);
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
	if (links != NULL && *n * 2 < most && *step_ns < INT64_MAX / 4)
		*step_ns *= 2;
	return (links);
}

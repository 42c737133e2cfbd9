/*
 * A tournament of marks: every inner place holds the lesser of its two
 * children, so that a new mark is compared log2(n) times, and less when the
 * sibling was lower anyway.
 */
#include "watermark.h"

#include <stdlib.h>

void
watermark_clear(struct watermark *w)
{
	free(w->tree);
	w->tree = NULL;
	w->leaves = 0;
}

int
watermark_reserve(struct watermark *w, size_t n)
{
	size_t leaves = w->leaves > 0 ? w->leaves : 1;
	int64_t *tree;

	if (n <= w->leaves)
		return (0);
	while (leaves < n)
		leaves *= 2;
	tree = malloc(2 * leaves * sizeof(*tree));
	if (tree == NULL)
		return (-1);
	for (size_t i = 0; i < leaves; i++)
		tree[leaves + i] =
		    i < w->leaves ? w->tree[w->leaves + i] : WATERMARK_NONE;
	for (size_t i = leaves - 1; i > 0; i--)
		tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i]
							: tree[2 * i + 1];
	free(w->tree);
	w->tree = tree;
	w->leaves = leaves;
	return (0);
}

void
watermark_set(struct watermark *w, size_t i, int64_t mark)
{
	i += w->leaves;
	w->tree[i] = mark;
	for (i /= 2; i > 0; i /= 2) {
		int64_t a = w->tree[2 * i], b = w->tree[2 * i + 1];
		int64_t least = a < b ? a : b;

		if (w->tree[i] == least)
			break;
		w->tree[i] = least;
	}
}

int64_t
watermark_min(const struct watermark *w)
{
	return (w->leaves == 0 ? WATERMARK_NONE : w->tree[1]);
}

/*
 * How can n queens stand on a board so that none attacks another?  By tasks of
 * OpenMP, in a program that knows nothing of Orrery.
 *
 *	cc -fopenmp -o queens queens.c
 *	monitorctl run ./queens [n]
 *
 * Each queen that may stand where it is put is a task, whose children are those
 * of the next row: the tree of tasks is the search.  Of 6 queens there are 6,
 * 20, 36, 46, 40 and 4 tasks on its levels, 152 in all, and 4 solutions.
 */
#include <stdio.h>
#include <stdlib.h>

#define MOST 12

static int n = 6;
static long tasks, solutions;

/* Columns and diagonals that are taken, as bits. */
static void
row(int at, unsigned columns, unsigned left, unsigned right)
{
	if (at == n) {
#pragma omp atomic
		solutions++;
		return;
	}
	for (int i = 0; i < n; i++) {
		unsigned bit = 1u << i;

		if (((columns | left | right) & bit) != 0)
			continue;
#pragma omp atomic
		tasks++;
#pragma omp task
		row(at + 1, columns | bit, (left | bit) << 1,
		    (right | bit) >> 1);
	}
#pragma omp taskwait
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		n = atoi(argv[1]);
	if (n < 1 || n > MOST) {
		fprintf(stderr, "queens: from 1 to %d\n", MOST);
		return (64);
	}
#pragma omp parallel num_threads(2)
#pragma omp single
	row(0, 0, 0, 0);
	printf("queens %d: tasks %ld, solutions %ld\n", n, tasks, solutions);
	return (0);
}

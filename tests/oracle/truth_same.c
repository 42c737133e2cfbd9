/* A function step(), as truth.c and other.c have another one. */
#include "tests/oracle/truth.h"

static void
step(void)
{
	PROBE_SCOPE();
	truth_spin(40000);
}

void
same_steps(int n)
{
	for (int i = 0; i < n; i++)
		step();
}

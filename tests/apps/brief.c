/* A program that ends at once: starting it is all that it costs. */
#include "probe.h"

int
main(void)
{
	probe_note(PROBE_NAME("brief"), 1);
	return (0);
}

#include "monitorctl.h"

int
main(int argc, char **argv)
{
	return (monitorctl_main(argc, argv));
}

#include "monitord.h"

int
main(int argc, char **argv)
{
	return (monitord_main(argc, argv));
}

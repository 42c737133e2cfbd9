/* The program viewer; what it does is in viewer.c. */
#include "app/app.h"

int
main(int argc, char **argv)
{
	return (viewer_main(argc, argv));
}

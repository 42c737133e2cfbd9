#include "app/app.h"

int
main(int argc, char **argv)
{
	return (viewer_main(argc, argv));
}

/* monitord(8), but for its main function. */
#ifndef MONITORD_MONITORD_H
#define MONITORD_MONITORD_H

int monitord_main(int argc, char **argv); /* exit code of sysexits.h */

#endif

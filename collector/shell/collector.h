/* The collector as a program. */
#ifndef COLLECTOR_COLLECTOR_H
#define COLLECTOR_COLLECTOR_H

/* Returns the exit code (sysexits). */
int collector_main(int argc, char **argv);

#endif

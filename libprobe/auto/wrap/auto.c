/* Set at the start, before there is a thread of the program's (start.c). */
#include "libprobe/auto/wrap/auto.h"

bool auto_mute;

/*
 * Every inline function of probe.h as a real one under the same name, for
 * languages that cannot include it.
 */
#define PROBE_INLINE __attribute__((visibility("default")))
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "probe.h"

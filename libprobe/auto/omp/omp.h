/* OpenMP: what the ways to hear of it share. */
#ifndef LIBPROBE_AUTO_OMP_H
#define LIBPROBE_AUTO_OMP_H

#include <stdbool.h>

/* Its runtime tells a tool, which is us. */
extern bool omp_is_told;

#endif

/* cmocka, with the headers that it wants first, and a few of our own. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* So many random tries; a sanitizer takes ten times as long for each. */
#if defined(__SANITIZE_ADDRESS__)
#define TRIES(n) ((n) / 3)
#else
#define TRIES(n) (n)
#endif

#endif

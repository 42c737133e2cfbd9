/* A line of source as pieces that are drawn in one colour each. */
#ifndef VIEWER_SOURCECODE_H
#define VIEWER_SOURCECODE_H

#include <stdbool.h>
#include <stddef.h>

enum code_kind {
	CODE_SPACE,
	CODE_WORD, /* a name, or a word of the language */
	CODE_OTHER,
	CODE_TEXT, /* in quotation marks */
	CODE_COMMENT
};

/*
 * The first piece of n > 0 bytes: returns how long it is.  comment: the one
 * that goes over lines is open, before and afterwards; false at the first line.
 */
size_t code_piece(const char *, size_t n, bool *comment, enum code_kind *);
/* By its name it is of a language that has these comments. */
bool code_known(const char *file);

#endif

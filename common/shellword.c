/* See shellword.h. */
#include "shellword.h"

void
shellword_put(FILE *f, const char *word)
{
	fputs(" '", f);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			fputs("'\\''", f);
		else
			putc(*word, f);
	putc('\'', f);
}

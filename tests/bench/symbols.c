/*
 * symbols FILE: how long the first answer takes about a file that nobody has
 * opened yet, in ms, and one of a thousand further ones about other addresses,
 * in us.  Addresses are those of its functions, spread over all of it; that
 * each has a function and a line is a condition.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "symbols/symbols.h"
#include "tests/bench/bench.h"

#define FURTHER 1000

/* All of a file, with the end if there is none. */
static char *
whole(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "r");
	char *p;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0)
		err(EX_NOINPUT, "%s", path);
	*bytes = (size_t)ftell(f);
	rewind(f);
	p = need(*bytes, 1);
	if (fread(p, 1, *bytes, f) != *bytes)
		err(EX_NOINPUT, "%s", path);
	fclose(f);
	return (p);
}

/* Addresses of functions, in the order of the file; how many. */
static size_t
functions(const char *file, uint64_t **address)
{
	Elf64_Ehdr eh;
	Elf64_Shdr sh;
	Elf64_Sym sym;
	size_t n = 0;

	memcpy(&eh, file, sizeof(eh));
	for (unsigned i = 0; i < eh.e_shnum; i++) {
		memcpy(&sh, file + eh.e_shoff + i * sizeof(sh), sizeof(sh));
		if (sh.sh_type != SHT_SYMTAB)
			continue;
		*address = need(sh.sh_size / sizeof(sym), sizeof(**address));
		for (size_t at = 0; at < sh.sh_size; at += sizeof(sym)) {
			memcpy(&sym, file + sh.sh_offset + at, sizeof(sym));
			if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC &&
			    sym.st_size > 8)
				(*address)[n++] = sym.st_value;
		}
	}
	return (n);
}

static void
ask(struct symbols *s, const char *path, uint64_t address)
{
	static struct symbols_level level[SYMBOLS_LEVELS];
	const char *why = "it has none";

	if (symbols_find(s, path, "", address + 4, level, &why) == 0 ||
	    level[0].line == 0)
		errx(EX_SOFTWARE, "%#jx: %s", (uintmax_t)address, why);
}

int
main(int argc, char **argv)
{
	struct symbols *s = symbols_new();
	uint64_t *address = NULL;
	double began, first;
	size_t bytes, n;
	char *file;

	if (argc != 2 || s == NULL)
		errx(EX_USAGE, "usage: symbols FILE");
	file = whole(argv[1], &bytes);
	n = functions(file, &address);
	free(file);
	if (n < FURTHER + 200)
		errx(EX_DATAERR, "%s: too few functions", argv[1]);
	/* the C library's are at both ends, without lines */
	address += 100;
	n -= 200;

	began = now_ms();
	ask(s, argv[1], address[n / 2]);
	first = now_ms() - began;
	began = now_ms();
	for (size_t i = 0; i < FURTHER; i++)
		ask(s, argv[1], address[i * n / FURTHER]);
	printf("%.1f %.2f %.1f\n", first, (now_ms() - began) * 1e3 / FURTHER,
	    (double)bytes / 1e6);
	symbols_free(s);
	return (0);
}

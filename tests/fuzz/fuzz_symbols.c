/*
 * Files with code: any bytes are one, whose places are asked for, or none.  The
 * last 8 bytes are an address; others come from its own head.
 */
#include <sys/mman.h>

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/shell/system/modules.h"
#include "symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ask(const char *path, uint64_t address)
{
	static struct symbols_level level[SYMBOLS_LEVELS];
	struct symbols *s = symbols_new();
	const char *why;
	unsigned n;

	if (s == NULL)
		abort();
	for (uint64_t i = 0; i < 64; i += 9) {
		n = symbols_find(s, path, "", address + i, level, &why);
		if (n > SYMBOLS_LEVELS ||
		    (n > 0 && level[0].function[0] == '\0'))
			abort();
	}
	symbols_free(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct modules_file m = { .offset = 0x1000 };
	uint64_t address;
	Elf64_Ehdr head;
	char path[64];
	int fd;

	if (size < sizeof(head) + sizeof(address))
		return (0);
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd == -1 || write(fd, data, size) != (ssize_t)size)
		abort();
	memcpy(&head, data, sizeof(head));
	memcpy(&address, data + size - sizeof(address), sizeof(address));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (modules_read(fd, &m) == 0 && strlen(m.build_id) >= MODULES_ID_BYTES)
		abort();
	ask(path, head.e_entry);
	ask(path, address);
	close(fd);
	return (0);
}

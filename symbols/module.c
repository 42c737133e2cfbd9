/* A file with code: opened, checked, its tables read. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void
module_free(struct module *m)
{
	if (m == NULL)
		return;
	free(m->path);
	free(m->build_id);
	free(m->entries);
	free(m->ranges);
	for (size_t i = 0; i < m->nunits; i++)
		free(m->units[i].functions);
	free(m->units);
	if (m->dwarf != NULL)
		dwarf_end(m->dwarf);
	object_close(&m->debug);
	object_close(&m->file);
	free(m);
}

static const char *
read_file(struct module *m, bool mapped)
{
	char id[OBJECT_ID_BYTES];

	if (object_open(&m->file, m->path, mapped) == -1)
		return ("the file cannot be read, or is no program any more");
	object_build_id(&m->file, id);
	if (*m->build_id != '\0' && strcmp(id, m->build_id) != 0)
		return ("the file has another build id: it was built anew");
	(void)object_debug(&m->file, m->path, &m->debug);
	if (table_read(m) == -1)
		return ("there is no memory for its symbols");
	m->dwarf =
	    dwarf_begin_elf(m->debug.elf != NULL ? m->debug.elf : m->file.elf,
		DWARF_C_READ, NULL);
	return (NULL);
}

struct module *
module_open(const char *path, const char *build_id, bool mapped)
{
	struct module *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return (NULL);
	m->file.fd = m->debug.fd = -1;
	m->path = strdup(path);
	m->build_id = strdup(build_id);
	if (m->path == NULL || m->build_id == NULL) {
		module_free(m);
		return (NULL);
	}
	m->why = read_file(m, mapped);
	return (m);
}

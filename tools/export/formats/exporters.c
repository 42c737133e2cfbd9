/* Which formats there are, and how one is found. */
#include "tools/export/export.h"

#include <string.h>

static const struct exporter *const all[] = { &export_speedscope,
	&export_chrome, &export_csv, &export_folded, &export_sqlite,
	&export_ctf, &export_otf2, &export_paje };

const struct exporter *
exporter_at(size_t i)
{
	return (i < sizeof(all) / sizeof(all[0]) ? all[i] : NULL);
}

const struct exporter *
exporter_named(const char *name)
{
	const struct exporter *e;

	for (size_t i = 0; (e = exporter_at(i)) != NULL; i++)
		if (strcmp(e->name, name) == 0)
			break;
	return (e);
}

const struct exporter *
exporter_for(const char *path)
{
	const struct exporter *e;
	size_t n = strlen(path), end;

	for (size_t i = 0; (e = exporter_at(i)) != NULL; i++) {
		end = strlen(e->suffix);
		if (n > end && strcmp(path + n - end, e->suffix) == 0)
			break;
	}
	return (e);
}

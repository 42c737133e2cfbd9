/* The cluster file: any bytes are a list of nodes or a list of problems. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "monitord/shell/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Once the check finds nothing, libcyaml must find nothing either. */
static void
report(void *arg, const char *line)
{
	unsigned *lines = arg;

	(*lines)++;
	if (strncmp(line, "f: cannot be read", 17) == 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned lines = 0;
	struct conf *conf;
	int code;

	conf = conf_parse("f", (const char *)data, size, report, &lines, &code);
	if ((conf == NULL) != (lines > 0) ||
	    (conf != NULL &&
		(conf->nnodes == 0 || conf->nodes[0].name == NULL)))
		abort();
	conf_free(conf);
	return (0);
}

/* What yaml.h has read, written again as JSON. */
#ifndef TOOLS_YAML_JSON_H
#define TOOLS_YAML_JSON_H

#include <stdio.h>

#include "yaml.h"

/*
 * Maps and lists as their paths say; a scalar that was not in quotes and reads
 * as a number or truth value is one, all others are text.
 */
void yaml_json(FILE *, const struct yaml *);

#endif

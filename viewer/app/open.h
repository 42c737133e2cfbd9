/* Another log in the place of this one. */
#ifndef VIEWER_OPEN_H
#define VIEWER_OPEN_H

#include <stdbool.h>
#include <stddef.h>

/* ui->desks->host.open_cb: quits, with what is opened then in app.next. */
int app_open(void *app, const char *path, char *why, size_t n);
/*
 * ui->desks->host.beside_cb: the i-th of the logs in the folder of this one, or
 * where we are, the newest first; false: there are no more.
 */
bool app_beside(void *app, unsigned i, char *name, size_t n);

#endif

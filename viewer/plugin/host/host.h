/* The process that holds a plug-in: `viewer --plugin-host', of the viewer. */
#ifndef VIEWER_PLUGIN_HOST_H
#define VIEWER_PLUGIN_HOST_H

#define PLUGIN_HOST    "--plugin-host" /* no option: the viewer's own word */
#define PLUGIN_HOST_FD 3               /* where it is asked, and answers */

/* PLUGIN_HOST FILE.so LOG: until nobody asks any more. */
int plugin_host(const char *object, const char *log);

#endif

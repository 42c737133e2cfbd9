/*
 * A menu: items that are commands.  menu_list.c; what opens it is in input.h.
 */
#ifndef VIEWER_MENU_H
#define VIEWER_MENU_H

#include "ui/desk/desk.h"

/* What can be done with what a right click has found. */
#define MENU_MAX 36
struct menu {
	bool open;
	struct rect at;
	int chosen;      /* -1: none */
	int32_t item_px; /* as high as MENU_ITEM_PX, or as there is room */
	unsigned n;
	struct menu_item {
		char label[56];
		char command[64];
	} item[MENU_MAX];
};
struct menu *menu_new(void); /* NULL: out of memory */
void menu_free(struct menu *);
/* An item, if there is room for it. */
void menu_add(struct menu *, const char *command, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Opens it there, or where it has room. */
#define MENU_ITEM_PX   20
#define MENU_LEAST_PX  10
#define MENU_NORMAL_PX 15 /* lower ones have small letters */
#define MENU_WIDTH_PX  250
void menu_place(struct ui *, int32_t x, int32_t y);
/* The columns of the table of functions, at the pointer. */
void menu_columns(struct ui *);
/* The logs in the folder of this one; false: there are none. */
bool menu_logs(struct ui *);

#endif

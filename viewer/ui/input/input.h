/* Keys, mouse, the omnibox, menus and commands. */
#ifndef VIEWER_INPUT_H
#define VIEWER_INPUT_H

#include "ui/commands/command.h"
#include "ui/commands/menu.h"
#include "ui/desk/desk.h"

/* keys.c: key is "w", "ctrl+q", "Left", "shift+Tab", "F1" ... */
void keys_press(struct ui *, const char *key, const char *text);
/*
 * The same of one that may be held; code is the key's own number.  While it is
 * held, keys_advance() goes on by so much time; keys_up() ends it, 0: whatever
 * key it is.
 */
void keys_down(struct ui *, unsigned code, const char *key, const char *text);
void keys_up(struct ui *, unsigned code);
void keys_advance(struct ui *, int64_t ns);
bool keys_held(const struct ui *); /* for longer than a press */
/* bindings.c: the i-th row of the table, those of the mouse last. */
bool keys_each(enum keymap, unsigned i, const char **keys, const char **command,
    const char **what);
/* What the group is called that begins with it; NULL: it begins none. */
const char *keys_group(enum keymap, unsigned i);

/* mouse.c */
#define MOD_SHIFT 1
#define MOD_CTRL  2
void mouse_move(struct ui *, int32_t x, int32_t y);
void mouse_leave(struct ui *);
void mouse_down(struct ui *, int32_t x, int32_t y, int button, unsigned mods,
    int64_t t_ms);
void mouse_up(struct ui *, int32_t x, int32_t y, int button, unsigned mods);
void mouse_wheel(struct ui *, int32_t x, int32_t y, int dy, unsigned mods);
/* menu.c */
void menu_open(struct ui *, int32_t x, int32_t y);
void menu_draw(struct ui *, struct canvas *);
void menu_move(struct ui *, int32_t x, int32_t y);
/* True: it was about the menu, and is done. */
bool menu_click(struct ui *, int32_t x, int32_t y);
bool menu_press(struct ui *, const char *key);
/* menu_offer.c: into the menu, all that can be done there. */
void menu_offer(struct ui *, int32_t x, int32_t y);

/* prompt.c: the omnibox is open */
void prompt_press(struct ui *, const char *key, const char *text);
void prompt_draw(struct ui *, struct canvas *);
void prompt_move(struct ui *, int32_t x, int32_t y);
/* True: it was about the suggestions, and is done. */
bool prompt_click(struct ui *, int32_t x, int32_t y);
bool prompt_wheel(struct ui *, int32_t x, int32_t y, int dy);

/* help.c */
void help_draw(struct ui *, struct canvas *);
/* True: it is open, and has scrolled by so many keys. */
bool help_scroll(struct ui *, int by);
bool help_press(struct ui *, const char *key);

#endif

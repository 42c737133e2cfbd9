/*
 * What the files of commands share: one table each, and the few commands that
 * others are made of.
 */
#ifndef VIEWER_COMMAND_H
#define VIEWER_COMMAND_H

#include "ui/commands/moving/moving.h"
#include "ui/desk/desk.h"

/* 0, or -1 with ui->told.message saying what is wrong. */
int command_run(struct ui *, const char *line);
/* The same, whatever the user calls by this name. */
int command_run_ours(struct ui *, const char *line);
/* Is there one of this name, of the user's own or not?  begun: so begun? */
bool command_is(const struct ui *, const char *name, size_t n, bool begun);
/* Name and sentence of command i, or false. */
bool command_each(unsigned i, const char **name, const char **arguments,
    const char **what);

/* Those of moving.h, and: */
extern const struct command command_note[];
extern const struct command command_group[]; /* and other names */
extern const struct command command_rows[];  /* which rows, in what order */
extern const struct command command_show[];  /* how it looks, what is chosen */
extern const struct command command_pane[];  /* which panes are there */
extern const struct command command_copy[];
extern const struct command command_card[];    /* details that stay */
extern const struct command command_find[];    /* the omnibox */
extern const struct command command_asked[];   /* of all threads */
extern const struct command command_source[];  /* the program's files */
extern const struct command command_classes[]; /* its structs and classes */
extern const struct command command_tree[];    /* the reduction tree */
extern const struct command command_compare[];
extern const struct command command_talk[]; /* who talks to whom */
extern const struct command command_machine[];
extern const struct command command_plugin[];
extern const struct command command_macro[]; /* of the user's own */

struct macro;
/* command_macro.c: its commands with these words, up to the first that fails */
int command_macro_run(struct ui *, const struct macro *, const char *arg);
/* command_probe.c: what is recorded from now on */
int command_probe(struct ui *, const char *arg);

/* Another log in the place of this one. */
int command_open_log(struct ui *, const char *file);

/* The i-th word that may stand after a command's name; NULL: no more. */
typedef const char *command_word(const struct ui *, unsigned i);
command_word command_view;      /* names of views */
command_word command_talk_word; /* what Communication can show */
command_word command_activity_word;
/* Of the command of that name, of n bytes; NULL: anything may. */
command_word *command_words(const char *name, size_t n);
/* desk_fail(): "WHAT WORD, WORD, ..." */
int command_fail_words(struct ui *, const char *what, command_word *);

int command_found_again(struct ui *); /* goes to the call where one is */
/* The view comes to the front, with its first row. */
void command_front(struct ui *, enum view_id);
/* Of the chosen pair: way 1, the next message or call; -1, the one before. */
int command_pair_step(struct ui *, int way);
void command_next_statistic(struct ui *); /* of Communication */
void command_next_level(struct ui *);
/* enum talk_level: the rows of the lanes go with it, as far as they reach. */
void command_talk_level(struct ui *, unsigned of);
void command_next_activity(struct ui *); /* the next part of Activity */
/* What is selected becomes PRIMARY, and the clipboard. */
int command_offer(struct ui *, bool clipboard);
/*
 * The row that a command is about: a number, the name of a group, or "." or ""
 * for the selected one.  UINT32_MAX: there is none, and it is said.
 */
uint32_t command_row(struct ui *, const char *arg, const char *what);
int command_fold(struct ui *, const char *arg);
int command_select_task(struct ui *, const char *arg);
int command_reroot(struct ui *); /* at the task under the mouse, or selected */

#endif

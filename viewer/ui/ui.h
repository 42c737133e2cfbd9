/*
 * The window's contents: what is shown, what is chosen, how it is drawn and
 * what keys and mouse do with it.  No X in here: the same code draws into the
 * window's memory and into a picture without a server.
 *
 * UI thread only.
 */
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "feed/feed.h"
#include "layout/scene.h"
#include "raster/canvas.h"
#include "ui/parts.h"

struct ui {
	struct model *model; /* not owned */
	struct feed_status feed;
	struct sketch *sketch; /* of what is not read yet; owned, or NULL */
	const struct palette *palette;

	/* geometry */
	int32_t width, height;
	enum pane only; /* PANES: the whole window; else this one alone */
	int32_t split_x, split_y; /* 1/1000 of the window */
	unsigned hidden_panes;    /* bits */
	unsigned hidden_before;   /* one was maximised */
	bool maximised, full_screen;
	struct rect pane[PANES];
	struct rect ruler, lanes, tree_area; /* inside the panes */

	/* the process-time view */
	struct timeline_view time;
	struct timeline_layout rows;
	struct scene time_scene;
	struct scene time_shown; /* the one in the layer, and its view */
	struct timeline_view time_shown_view;
	const struct palette *time_shown_palette;
	struct layer time_layer;
	uint8_t *folded;
	uint32_t folded_cap;
	bool follow;  /* the right edge sticks to the newest event */
	bool fit;     /* everything is shown */
	bool paused;  /* the picture stands still */
	bool playing; /* a finished run is played again */
	bool grid;
	int32_t row_px;        /* as the user wants it; 0: as many as fit */
	int64_t cursor_mon_ns; /* an instant that was chosen; INT64_MIN: none */
	int64_t head_mon_ns;   /* playback: INT64_MAX when at the end */
	double speed;
	double rush; /* run time a second of fast forward; 0: it is not on */
	struct marker markers[MARKERS_MAX]; /* in order of time */
	unsigned nmarkers;

	/* the reduction tree */
	struct radial_view tree;
	struct radial_layout nodes;
	struct opened opened[OPENED_MAX];
	unsigned nopened;
	struct scene tree_scene;
	enum tree_of tree_of;
	enum tree_weight weight[TREE_KINDS];
	struct grown grown;
	struct sums sums;      /* of all threads */
	struct sums tree_sums; /* of those below tree_lane */
	struct messages messages;
	uint32_t tree_lane;     /* UINT32_MAX: of all */
	uint64_t selected_path; /* id of a node of the tree of calls; 0 */
	struct opened put_by[TREE_KINDS]; /* how the other trees were seen */
	struct layer tree_layer;
	bool tree_keep; /* its items are to be kept for other colours */
	struct layer overview_layer;
	struct overview overview; /* while the run grows */
	struct activity activity;
	struct task_counts task_counts;

	/* chosen by the user */
	enum pane focus;
	enum dock_tab tab;
	int32_t dock_scroll;  /* rows */
	uint32_t listed_lane; /* that the list of spans was last of */
	int64_t listed_at;    /* and the cursor's instant then */
	struct place places[PLACES_MAX];
	unsigned nplaces, place;
	unsigned place_kind; /* of the last change, so that steps merge */
	struct range zoomed[RANGES_MAX]; /* from where, the latest */
	unsigned nzoomed;

	/* a key that is held; NULL: none */
	const struct hold *held;
	unsigned held_code;
	int64_t held_ns;

	/* the mouse */
	enum keymap keymap;
	int32_t mouse_x, mouse_y;
	bool mouse_in;
	enum drag drag;
	int32_t drag_x, drag_y; /* where the button went down */
	bool drag_moved;
	int64_t drag_t0, drag_t1; /* view or selection then */
	double drag_cx, drag_cy, drag_rad;
	int32_t drag_scroll;
	int64_t click_ms; /* of the last click, for double clicks */
	int32_t click_x, click_y;
	uint32_t hovered_task;      /* task number or TASK_NONE */
	struct timeline_hit hit;    /* under the mouse, in the time view */
	struct timeline_hit chosen; /* clicked last */
	struct mark mark;           /* clicked last, on mark_lane */
	uint32_t mark_lane;         /* UINT32_MAX: none */

	/* the omnibox */
	char prompt; /* '/', ':' or '>'; 0: closed */
	char typed[128];
	unsigned suggest_from; /* the first one that is shown */
	int suggested;         /* below it, that is chosen; -1: none */
	char search[128];
	uint32_t search_at;
	char message[256]; /* the answer to the last command */
	bool told_odd;     /* that the log makes no sense somewhere */
	const char *did;   /* its name; NULL: none yet */

	/* two runs side by side (compare.c) */
	struct ui *other; /* the other run's, owned; NULL: there is none */
	struct ui *main;  /* of the other one: this */
	int32_t route_x, route_y;
	uint32_t compare_lane; /* selected here when it was told the other */
	enum radial_order compare_order; /* as they were before */
	int32_t compare_split;
	/* Opens the file of another run, NULL: closes it; -1: why not. */
	int (*compare_cb)(void *, const char *path, char *why, size_t n);

	struct causality causality;
	struct cards cards;
	struct menu menu;        /* that a right click has opened */
	char *copied;            /* text for other programs; NULL: none */
	const char *copied_view; /* what the picture in the clipboard is of */
	enum offer offer;        /* for whoever owns the window */

	char hint[256]; /* of what is drawn under the mouse; "": none */
	struct spot spots[SPOTS_MAX];
	unsigned nspots;
	bool reconnect; /* monitord is to be asked for now */
	bool help;
	unsigned help_from; /* the first key that it shows */
	bool quit;
	bool dirty; /* something has changed since the last frame */
	int64_t wanted_t0, wanted_t1;   /* details that were asked for last */
	struct rough rough[SUMS_KINDS]; /* figures that are to become exact */
	bool pressed;                   /* this frame answers the user */
	bool hasty;   /* the user waits: what only new events have changed
		       * may stay as it is for a frame */
	bool undone;  /* left for a later frame */
	bool exposed; /* the server has forgotten the picture */
	bool far;     /* whoever owns the window draws the links */
	uint64_t frame;
	uint64_t seen_events; /* drawn in the last frame */
	/* frames from which they may be drawn anew */
	uint64_t overview_due, tree_due;
	/* Between the parts of a frame that may be given up: must it? */
	bool (*stop_cb)(void *);
	void *stop_arg;
	const char *export_to; /* where `export` writes */
	/* Writes the frame as a picture; set by whoever owns the pixels. */
	int (*export_cb)(void *, const char *path, const char *view);
	void *export_arg;
	/* Writes the layout down; set by whoever knows where. */
	int (*save_cb)(void *);
	void *save_arg;
};

struct ui *ui_new(const struct palette *);
void ui_free(struct ui *);
/*
 * The views are drawn again by the next frame: all of a run that stands still,
 * of one that grows what new events would change.
 */
void ui_redo(struct ui *);
/* wants.c: details of [t0, t1) should be read again; says so once. */
bool ui_wants(struct ui *, int64_t *t0_mon_ns, int64_t *t1_mon_ns);
/*
 * Figures of [t0, t1) are only about right; they are drawn as such, and, when
 * the picture stands still, asked for: ui_wants_sums() says so, once.
 */
void ui_rough(struct ui *, enum feed_sums, int64_t t0_mon_ns,
    int64_t t1_mon_ns);
bool ui_wants_sums(struct ui *, enum feed_sums, int64_t *t0_mon_ns,
    int64_t *t1_mon_ns);
bool ui_settling(const struct ui *); /* they will be right soon */
void ui_resize(struct ui *, int32_t width, int32_t height);
/* Once before each frame: takes note of what has come. */
void ui_refresh(struct ui *, struct model *, const struct feed_status *);
/* Takes the sketch of what has not been read yet; NULL: there is no news. */
void ui_sketch(struct ui *, struct sketch *);
/* Playback: real time goes on by this much.  True: another frame is due. */
bool ui_advance(struct ui *, int64_t ns);
/*
 * A frame: what takes long goes into layers, then all is put together.
 * ui_prepare() does the first and returns false when it was given up for
 * something more urgent, which it asks ui->stop_cb about, but not in a hasty
 * frame; ui_show() does the second; ui_frame() both, without being stopped.
 */
bool ui_prepare(struct ui *);
void ui_show(struct ui *, struct canvas *);
void ui_frame(struct ui *, struct canvas *);
/* The same view in words; its figures, and which of them are to be exact. */
void ui_describe(struct ui *, FILE *);
void ui_describe_ready(struct ui *);

/* view.c: where we are in time and tree */
void view_range(struct ui *, int64_t t0_mon_ns, int64_t t1_mon_ns);
void view_zoom(struct ui *, double factor, int32_t x_px);
void view_pan(struct ui *, double share);
void view_fit_all(struct ui *);
void view_live(struct ui *);
void view_follow(struct ui *); /* the newest event is in the last pixel */
void view_remember(struct ui *, unsigned kind); /* 0: never merged */
bool view_back(struct ui *, int step);
void view_select_task(struct ui *, uint32_t task);
void view_select_range(struct ui *, int64_t t0, int64_t t1);
int64_t view_origin(const struct ui *);
int64_t view_end(const struct ui *); /* of the run, so far */
/* The same with what has not been read yet, as far as that is known. */
int64_t view_far_end(const struct ui *);
/*
 * The instant that stacks and the like are of, and in words what decides it:
 * where the playback stands, else the pointer, the cursor, or the newest
 * event.
 */
int64_t view_instant(const struct ui *, const char **what);
/* The playback's instant, or the newest event. */
int64_t view_now(const struct ui *);
/* As it is then: one that is not over yet has no end. */
struct span view_span_then(const struct ui *, const struct span *);
bool view_selected_range(const struct ui *, int64_t *t0, int64_t *t1);
/*
 * What all figures are of: the selected range or what is in sight, as far as
 * the run and the playback have come.  False: nothing is left of it.
 */
bool view_panel_range(const struct ui *, int64_t *t0, int64_t *t1);
bool view_panel_whole(const struct ui *); /* it is the whole run */
/* Unfolds and scrolls until the row of this lane is in sight. */
void view_show_row(struct ui *, uint32_t lane);
int view_scroll_rows(struct ui *, int32_t px);
/* The playback stands at this instant; all views show it. */
void view_head_to(struct ui *, int64_t t_mon_ns);
/* Moves the range until the instant is in it. */
void view_in_sight(struct ui *, int64_t t_mon_ns);
void view_tree_zoom(struct ui *, double factor, int32_t x, int32_t y);

/* marker.c: those in sight, over the lanes and in the overview. */
void marker_draw(struct ui *, struct canvas *);
void marker_overview(struct ui *, struct canvas *);
void marker_describe(const struct ui *, FILE *);

/* command.c */
/* 0, or -1 with ui->message saying what is wrong. */
int command_run(struct ui *, const char *line);
/* Name and sentence of command i, or false. */
bool command_each(unsigned i, const char **name, const char **arguments,
    const char **what);

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

/* mouse.c */
#define MOD_SHIFT 1
#define MOD_CTRL  2
void mouse_move(struct ui *, int32_t x, int32_t y);
void mouse_leave(struct ui *);
void mouse_down(struct ui *, int32_t x, int32_t y, int button, unsigned mods,
    int64_t t_ms);
void mouse_up(struct ui *, int32_t x, int32_t y, int button, unsigned mods);
void mouse_wheel(struct ui *, int32_t x, int32_t y, int dy, unsigned mods);
/* NULL: nothing there does anything when it is clicked. */
const struct spot *spot_at(const struct ui *, int32_t x, int32_t y);
enum pane mouse_pane(const struct ui *, int32_t x, int32_t y);
struct rect overview_window(const struct ui *);
int64_t overview_time(const struct ui *, int32_t x);
int32_t overview_x(const struct ui *, int64_t t_mon_ns);

/* menu.c */
void menu_open(struct ui *, int32_t x, int32_t y);
void menu_draw(struct ui *, struct canvas *);
void menu_move(struct ui *, int32_t x, int32_t y);
/* True: it was about the menu, and is done. */
bool menu_click(struct ui *, int32_t x, int32_t y);
bool menu_press(struct ui *, const char *key);

/* prompt.c: the omnibox is open */
void prompt_press(struct ui *, const char *key, const char *text);
void prompt_draw(struct ui *, struct canvas *);
void prompt_move(struct ui *, int32_t x, int32_t y);
/* True: it was about the suggestions, and is done. */
bool prompt_click(struct ui *, int32_t x, int32_t y);
bool prompt_wheel(struct ui *, int32_t x, int32_t y, int dy);

/* svg.c: "all", "radial" or "process-time" as it was drawn last. */
int svg_write(struct ui *, const char *path, const char *view);
int svg_print(struct ui *, FILE *, const char *view);

/* draw*.c: panes */
void top_draw(struct ui *, struct canvas *);
bool overview_prepare(struct ui *); /* layers; false: was stopped */
void overview_draw(struct ui *, struct canvas *);
/* Of the ruler: at most RULER_TICKS instants, and ns between them; a count. */
#define RULER_TICKS 64
size_t timepane_ticks(const struct ui *, int64_t *t_mon_ns, int64_t *step_ns);
/* The first row in sight from row i on; ui->rows.nrows: there is none. */
size_t timepane_row(const struct ui *, size_t i);
bool timepane_prepare(struct ui *);
void timepane_draw(struct ui *, struct canvas *);
void timepane_hover(struct ui *); /* finds ui->hit */
bool treepane_prepare(struct ui *);
bool activity_prepare(struct ui *);
bool activity_exact(const struct ui *); /* not only about right */
bool dock_prepare(struct ui *);
void treepane_draw(struct ui *, struct canvas *);
void treepane_hover(struct ui *); /* finds ui->hovered_task */
void dock_draw(struct ui *, struct canvas *);
void status_draw(struct ui *, struct canvas *);
void help_draw(struct ui *, struct canvas *);
/* help.c: true: it is open, and has scrolled by so many keys. */
bool help_scroll(struct ui *, int by);
bool help_press(struct ui *, const char *key);
void tooltip_draw(struct ui *, struct canvas *);

/* sums.c: a part of the work, then true; false: it must be gone on with. */
bool sums_prepare(struct ui *, struct sums *, uint32_t lane);
/* When nothing is to be drawn: some more of them.  False: all are done. */
bool sums_go_on(struct ui *);
bool sums_busy(const struct ui *);
bool sums_exact(const struct ui *); /* of functions, not only about right */
void sums_clear(struct sums *);
bool messages_prepare(struct ui *); /* the same */
void messages_clear(struct messages *);

/* causality.c: over the lanes, in their title (returns where it ends), in words
 */
void causality_draw(struct ui *, struct canvas *);
int32_t causality_title(struct ui *, struct canvas *, int32_t x, int32_t y);
void causality_describe(const struct ui *, FILE *);
/* How what is in [t0, t1] of a lane stands to it; "": nothing is asked. */
const char *causality_word(const struct ui *, uint32_t lane, int64_t t0,
    int64_t t1);
/* The run has grown: what was asked has another answer by and by. */
void causality_refresh(struct ui *);
bool causality_go_on(struct ui *); /* as sums_go_on() */
bool causality_busy(const struct ui *);
void causality_clear(struct ui *);
/* The thread of a row; UINT32_MAX: it stands for none, or for several. */
uint32_t causality_thread(const struct ui *, uint32_t lane);
/* What may have caused what is at t on this thread's lane.  -1: it is said. */
int causality_ask(struct ui *, uint32_t lane, int64_t t_mon_ns);

/* grown.c: makes the tree that is shown, when it is not that of tasks. */
bool grown_prepare(struct ui *);
void grown_clear(struct ui *);
/* kinds.c: what the tree is made of; its numbers are those of this model. */
const struct model *tree_model(const struct ui *);
/* NULL for the tree of tasks, which has none. */
const struct grown_node *tree_node(const struct ui *, uint32_t number);
uint32_t tree_selected(const struct ui *); /* number or TASK_NONE */
void tree_select(struct ui *, uint32_t number);
void tree_show(struct ui *, enum tree_of);
const char *tree_unit(const struct ui *, bool several); /* "task" */
/* A task of the run as it is at the instant of the playback. */
void tree_task_then(const struct ui *, const struct model *, uint32_t number,
    struct task *);
/* What a colour of "PE" stands for. */
char *tree_colour_label(const struct ui *, uint32_t pe, char *buf, size_t);

/* Of the run: its name, else its file. */
const char *ui_run_name(const struct ui *);

/* label.c: names of things, as they are shown; "?" when not defined */
const char *label_name(const struct model *, uint32_t name);
const char *label_node(const struct model *, uint32_t node);
const char *label_program(const struct model *, uint32_t node, uint32_t po);
/* into buf, which is returned */
char *label_lane(const struct model *, const struct lane *, char *buf, size_t);
uint32_t label_lane_rgb(const struct ui *, const struct lane *);
char *label_task(const struct model *, const struct task *, char *buf, size_t);
char *label_fate(const struct task *, char *buf, size_t);
const char *label_class(unsigned class); /* "waits for a lock" */
/* A mark's title; what it means, in a sentence or two, into buf. */
const char *label_mark(const struct model *, const struct mark *, char *buf,
    size_t);
/* One sentence about what is under the mouse; "" for nothing. */
char *label_hit(const struct ui *, char *buf, size_t);

#endif

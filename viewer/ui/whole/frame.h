/* The window as a whole: made, told what has come, drawn. */
#ifndef VIEWER_FRAME_H
#define VIEWER_FRAME_H

#include "ui/desk/desk.h"

struct ui *ui_new(const struct palette *);
void ui_free(struct ui *);
void ui_resize(struct ui *, int32_t width, int32_t height);
/* Once before each frame: takes note of what has come. */
void ui_refresh(struct ui *, struct model *, const struct feed_status *);
/* Names get their colours: at each refresh, and before each frame. */
void ui_colours(const struct ui *);
/* Takes the sketch of what has not been read yet; NULL: there is no news. */
void ui_sketch(struct ui *, struct sketch *);
/* Playback: real time goes on by this much.  True: another frame is due. */
bool ui_advance(struct ui *, int64_t ns);
/*
 * A frame: what takes long goes into layers, then all is put together.
 * ui_prepare() does the first and returns false when it was given up for
 * something more urgent, which it asks ui->picture->stop_cb about, but not in a
 * hasty frame; ui_show() does the second; ui_frame() both, without being
 * stopped.
 */
bool ui_prepare(struct ui *);
void ui_show(struct ui *, struct canvas *);
void ui_frame(struct ui *, struct canvas *);
/*
 * When nothing is to be drawn: what takes longer than a frame goes on, for some
 * ms.  False: there is nothing of that kind.
 */
bool ui_go_on(struct ui *);

#endif

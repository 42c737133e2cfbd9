/* What the writer and the reader of blocks share; see block.h. */
#ifndef PROTO_BLOCK_FORMAT_H
#define PROTO_BLOCK_FORMAT_H

#include "block.h"
#include "varint.h"

enum block_column {
	COLUMN_TIME,
	COLUMN_LANE,
	COLUMN_TAG,
	COLUMN_A,
	COLUMN_B,
	COLUMN_C,
	COLUMN_FLAGS,
	COLUMN_SHIFT,
	COLUMN_RAW,
	BLOCK_COLUMNS
};

#ifdef ORRERY_SMALL /* as in block.h */
#define BLOCK_STACKS 16u
#else
#define BLOCK_STACKS 256 /* lanes beyond share them */
#endif
#define BLOCK_LANE_BYTES_MAX ((6 + EVENT_CLASSES) * VARINT_BYTES_MAX)

#endif

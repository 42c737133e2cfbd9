/* Room for any message of the table. */
#ifndef TESTS_ANY_MESSAGE_H
#define TESTS_ANY_MESSAGE_H

#include "message.h"

union any_message {
#define MSG(n, id, dir, what) struct msg_##n n;
#define FIELD(m, type, f, unit, what)
#define END(n)
#include "messages.def"
#undef MSG
#undef FIELD
#undef END
};

#endif

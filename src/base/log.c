// Messages to the caller's handler. A message is formatted on the stack: logging needs no heap, so that "out of
// memory" can still be said.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "zn/base.h"

enum { MESSAGE_BYTES = 1024 };

static void write_message(const zn_log *log, zn_severity severity, const char *format, va_list arguments)
{
    char message[MESSAGE_BYTES];
    if (log == NULL || log->write == NULL)
        return;
    int length = vsnprintf(message, sizeof message, format, arguments);
    if (length < 0)
        message[0] = '\0';
    else if (length >= MESSAGE_BYTES)
        memcpy(message + MESSAGE_BYTES - 4, "...", 4); // a cut message shows that it was cut
    log->write(log->user, severity, message);
}

void zn_log_write(const zn_log *log, zn_severity severity, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_message(log, severity, format, arguments);
    va_end(arguments);
}

zn_status zn_fail(const zn_log *log, zn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_message(log, ZN_LOG_ERROR, format, arguments);
    va_end(arguments);
    return status;
}

zn_status zn_fail_here(const zn_log *log, zn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_message(log, ZN_LOG_REASON, format, arguments);
    va_end(arguments);
    return status;
}

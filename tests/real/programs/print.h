/* Like printf, in one call of fd_write with one buffer: of several, wasmtime writes only the first,
 * and the C library then calls again, so that engines would differ in what the program does. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (length > 0)
    (void)!write(STDOUT_FILENO, text, (size_t)length);
}

/* The encodings under the reports: protocol buffers and gzip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/encode/gzip.h"
#include "report/encode/protobuf.h"

#define NOISE_SIZE 3000000u

static void assert_message(const wi_message *message, const char *bytes, size_t size) {
  assert_int_equal(message->size, size);
  assert_memory_equal(message->bytes, bytes, size);
}

static void test_message(void **state) {
  wi_message message = {.size = 0};
  wi_message_add_number(&message, 1, 0);
  wi_message_add_packed(&message, 1, NULL, 0);
  assert_int_equal(message.size, 0);
  wi_message_add_number(&message, 1, 150);
  wi_message_add_number(&message, 16, 127);
  wi_message_add_number(&message, 2, 128);
  assert_message(&message, "\x08\x96\x01\x80\x01\x7f\x10\x80\x01", 9);
  message.size = 0;
  wi_message_add_number(&message, 1, UINT64_MAX);
  assert_message(&message, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
}

static void test_bytes(void **state) {
  static const uint64_t values[] = {3, 270, 86942, 0, 128};
  wi_message inner = {.size = 0};
  wi_message_add_packed(&inner, 6, values, 5);
  assert_message(&inner, "\x32\x09\x03\x8e\x02\x9e\xa7\x05\x00\x80\x01", 11);
  wi_message message = {.size = 0};
  wi_message_add_prefix(&message, 3, 300);
  wi_message_add_message(&message, 3, &inner);
  assert_message(&message, "\x1a\xac\x02\x1a\x0b\x32\x09\x03\x8e\x02\x9e\xa7\x05\x00\x80\x01", 16);
}

static uint8_t *noise_new(void) {
  uint8_t *bytes = malloc(NOISE_SIZE);
  uint32_t number = 1;
  for (size_t i = 0; bytes && i < NOISE_SIZE; i++) {
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    bytes[i] = (uint8_t)number;
  }
  return bytes;
}

/* Bytes that cannot become less fill the buffer for compressed ones many times in one call. */
static void test_gzip(void **state) {
  uint8_t *noise = noise_new();
  uint8_t *back = malloc(NOISE_SIZE + 1);
  wi_gzip *gzip = malloc(sizeof *gzip);
  FILE *file = tmpfile();
  assert_true(noise && back && gzip && file);
  assert_true(wi_gzip_open(gzip, file));
  wi_gzip_write(gzip, noise, 1);
  wi_gzip_write(gzip, noise + 1, NOISE_SIZE - 1);
  assert_true(wi_gzip_close(gzip));
  rewind(file);
  gzFile reader = gzdopen(dup(fileno(file)), "rb");
  assert_int_equal(gzread(reader, back, NOISE_SIZE + 1), NOISE_SIZE);
  assert_memory_equal(noise, back, NOISE_SIZE);
  assert_int_equal(gzclose(reader), Z_OK);
  fclose(file);
  free(gzip);
  free(back);
  free(noise);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_message),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_gzip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

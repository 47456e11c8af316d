/* A client of both libraries: instruments a module, makes a profile and every report of it. */
#include <stdio.h>
#include <stdlib.h>

#include <wasm_instrument/wasm_instrument.h>
#include <wasm_perf/report.h>

static int write_reports(const wasm_perf_profile *profile) {
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++) {
    FILE *file = tmpfile();
    int done = file && format->write(profile, NULL, file) && ftell(file) > 0;
    if (file)
      fclose(file);
    if (!done)
      return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  static uint8_t bytes[4096];
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);

  wi_error error;
  wi_output output;
  if (!wi_instrument(bytes, size, NULL, &output, &error))
    return 1;
  printf("%u of %u functions\n", output.instrumented_count, output.function_count);
  wi_output_clear(&output);

  wasm_perf_context *context = wasm_perf_context_new(NULL);
  wasm_perf_start(context, 7);
  wasm_perf_end(context);
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  int result = profile && profile->header.node_count == 2 && write_reports(profile) ? 0 : 1;
  wasm_perf_profile_free(profile);
  wasm_perf_context_free(context);
  return result;
}

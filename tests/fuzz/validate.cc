#include <wabt/binary-reader-ir.h>
#include <wabt/binary-reader.h>
#include <wabt/validator.h>

#include "fuzz.h"

bool fuzz_is_valid(const uint8_t *data, size_t size) {
  wabt::Features features;
  features.EnableAll();
  features.disable_gc(); // of these WABT 1.0.32 has but the beginnings, and asserts what is not so
  features.disable_function_references();
  wabt::Errors errors;
  wabt::Module module;
  wabt::ReadBinaryOptions options(features, nullptr, false, true, false);
  return wabt::Succeeded(wabt::ReadBinaryIr("fuzz", data, size, options, &errors, &module)) &&
         wabt::Succeeded(wabt::ValidateModule(&module, &errors, wabt::ValidateOptions(features)));
}

// The section reader on top of WABT's BinaryReader: the only C++ in the project.
//
// Function bodies are skipped. WABT 1.0.32 cannot read WebAssembly 3.0's types, and mistakes
// structref for another type if its gc feature is on, so gc and function references stay off.
// Modules that it rejects go to the other reader.

#include <exception>
#include <string_view>

#include <wabt/binary-reader-nop.h>
#include <wabt/binary-reader.h>

#include "module/read_wabt.h"
#include "module/value_types.h"

namespace {

using wabt::Index;
using wabt::Offset;
using wabt::Result;

class ModuleReader : public wabt::BinaryReaderNop {
public:
  explicit ModuleReader(wi_module *module) : module_(module) {}

  bool OnError(const wabt::Error &) override { return true; } // true: handled, print nothing

  Result BeginSection(Index, wabt::BinarySection id, Offset size) override {
    wi_section *section = WI_ARRAY_PUSH(module_, sections);
    if (!section)
      return Result::Error;
    *section = {static_cast<uint8_t>(id), {offset(), static_cast<uint32_t>(size)}, {}};
    return Result::Ok;
  }

  Result BeginCustomSection(Index, Offset, std::string_view name) override {
    module_->sections[module_->sections_count - 1].name = span(name);
    return Result::Ok;
  }

  Result OnFuncType(Index, Index param_count, wabt::Type *params, Index result_count,
                    wabt::Type *results) override {
    const uint32_t count_size = result_count < 0x80 ? 1 : result_count < 0x4000 ? 2 : 3;
    const uint32_t results_offset = offset() - result_count;
    const uint32_t params_offset = results_offset - count_size - param_count;
    wi_type *type = WI_ARRAY_PUSH(module_, types);
    if (!type)
      return Result::Error;
    *type = {true,
             param_count,
             result_count,
             {params_offset, param_count},
             {results_offset, result_count},
             {},
             false};
    return are_at(type->params, params) && are_at(type->results, results) ? Result::Ok
                                                                          : Result::Error;
  }

  Result OnImport(Index, wabt::ExternalKind kind, std::string_view module,
                  std::string_view field) override {
    // WABT calls this before it checks the kind.
    if (static_cast<unsigned>(kind) >= WI_EXTERN_KIND_COUNT)
      return Result::Error;
    module_->import_counts[static_cast<int>(kind)]++;
    if (kind == wabt::ExternalKind::Memory) {
      uint8_t *flags = WI_ARRAY_PUSH(module_, imported_memories);
      if (!flags || offset() >= module_->size)
        return Result::Error;
      *flags = module_->bytes[offset()];
    }
    import_ = {span(module), span(field), 0};
    return Result::Ok;
  }

  Result OnImportFunc(Index, std::string_view, std::string_view, Index, Index type_index) override {
    wi_import *import = WI_ARRAY_PUSH(module_, imports);
    if (!import)
      return Result::Error;
    *import = import_;
    import->type_index = type_index;
    return Result::Ok;
  }

  Result OnImportTable(Index, std::string_view, std::string_view, Index, wabt::Type,
                       const wabt::Limits *limits) override {
    uint8_t *flags = WI_ARRAY_PUSH(module_, imported_tables);
    if (!flags)
      return Result::Error;
    *flags = static_cast<uint8_t>((limits->is_64 ? WI_LIMITS_64_BITS : 0) |
                                  (limits->has_max ? WI_LIMITS_MAXIMUM : 0));
    return Result::Ok;
  }

  Result OnFunction(Index, Index type_index) override {
    uint32_t *type = WI_ARRAY_PUSH(module_, function_types);
    if (!type)
      return Result::Error;
    *type = type_index;
    return Result::Ok;
  }

  Result OnExport(Index, wabt::ExternalKind kind, Index item, std::string_view name) override {
    if (kind != wabt::ExternalKind::Func)
      return Result::Ok;
    wi_export *item_export = WI_ARRAY_PUSH(module_, exports);
    if (!item_export)
      return Result::Error;
    *item_export = {span(name), item};
    return Result::Ok;
  }

  Result BeginFunctionBody(Index, Offset size) override {
    wi_span *body = WI_ARRAY_PUSH(module_, bodies);
    if (!body)
      return Result::Error;
    *body = {offset(), static_cast<uint32_t>(size)};
    return Result::Ok;
  }

private:
  // One byte per type. If they differ, the span is wrong: WABT also accepts overlong encodings,
  // which the specification forbids.
  bool are_at(wi_span span, const wabt::Type *types) const {
    for (uint32_t i = 0; i < span.size; i++)
      if (module_->bytes[span.offset + i] != (static_cast<int>(types[i]) & 0x7f))
        return false;
    return true;
  }

  uint32_t offset() const { return static_cast<uint32_t>(state->offset); }

  // WABT's names are views into the module's bytes.
  wi_span span(std::string_view text) const {
    auto begin = reinterpret_cast<const uint8_t *>(text.data()) - module_->bytes;
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(text.size())};
  }

  wi_module *module_;
  wi_import import_ = {};
};

// WABT 1.0.32 expects a pointer and a size, later releases a span; overloading picks what compiles.
template <typename Delegate>
auto read_binary(const wi_module *module, Delegate *delegate,
                 const wabt::ReadBinaryOptions &options, int)
    -> decltype(wabt::ReadBinary(module->bytes, module->size, delegate, options)) {
  return wabt::ReadBinary(module->bytes, module->size, delegate, options);
}

template <typename Delegate>
auto read_binary(const wi_module *module, Delegate *delegate,
                 const wabt::ReadBinaryOptions &options, long)
    -> decltype(wabt::ReadBinary({module->bytes, module->size}, delegate, options)) {
  return wabt::ReadBinary({module->bytes, module->size}, delegate, options);
}

// A malformed custom section may be ignored unless its name is malformed. WABT does not distinguish
// the two, so both go to the other reader.
wabt::ReadBinaryOptions options() {
  wabt::Features features;
  features.enable_exceptions();
  features.enable_threads();
  features.enable_tail_call();
  features.enable_memory64();
  features.enable_multi_memory();
  features.enable_extended_const();
  features.enable_relaxed_simd();
  wabt::ReadBinaryOptions result(features, /*log_stream=*/nullptr, /*read_debug_names=*/false,
                                 /*stop_on_first_error=*/true,
                                 /*fail_on_custom_section_error=*/true);
  result.skip_function_bodies = true;
  return result;
}

} // namespace

extern "C" bool wi_module_read_wabt(wi_module *module) {
  // No exception may cross into C; only failed allocations are expected.
  try {
    ModuleReader reader(module);
    module->reader = "wabt";
    return wabt::Succeeded(read_binary(module, &reader, options(), 0));
  } catch (const std::exception &) {
    return false;
  }
}

/*
 * Where WABT's reader finds the instructions of a module: for each its offset in the payload of the
 * code section and its opcode, as two little-endian u32.
 */
#include <wabt/binary-reader-nop.h>
#include <wabt/binary-reader.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

class Instructions : public wabt::BinaryReaderNop {
public:
  std::vector<uint32_t> found;

  bool OnError(const wabt::Error &error) override {
    fprintf(stderr, "offset 0x%zx: %s\n", error.loc.offset, error.message.c_str());
    return true;
  }

  wabt::Result BeginSection(wabt::Index, wabt::BinarySection id, wabt::Offset) override {
    if (id == wabt::BinarySection::Code)
      start_ = state->offset;
    return wabt::Result::Ok;
  }

  wabt::Result BeginFunctionBody(wabt::Index, wabt::Offset) override {
    in_body_ = true;
    return wabt::Result::Ok;
  }

  wabt::Result EndFunctionBody(wabt::Index) override {
    in_body_ = false;
    return wabt::Result::Ok;
  }

  wabt::Result OnOpcode(wabt::Opcode opcode) override {
    if (!in_body_)
      return wabt::Result::Ok;
    found.push_back(static_cast<uint32_t>(state->offset - opcode.GetLength() - start_));
    found.push_back(opcode.GetPrefix() << 16 | opcode.GetCode());
    return wabt::Result::Ok;
  }

private:
  wabt::Offset start_ = 0;
  bool in_body_ = false;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  wabt::Features features;
  features.EnableAll();
  wabt::ReadBinaryOptions options(features, nullptr, false, false, false);
  Instructions reader;
  if (wabt::Failed(wabt::ReadBinary(bytes.data(), bytes.size(), &reader, options)))
    return 1;
  fwrite(reader.found.data(), sizeof(uint32_t), reader.found.size(), stdout);
  return 0;
}

// Where the parts of a program lie in its bytes and in shared memory, and those that describe memory: the dimensions in
// the order of a program, and the accesses.
#pragma once

#include "backend/cuda/bytecode/encode.h"

namespace cuprum::cuda::bytecode {

class Layout {
 public:
  Layout(const Kernel& kernel, const Wanted& wanted, std::size_t instructions, std::size_t uniforms);

  /// Shared memory beside the registers.
  std::size_t fixed_bytes() const { return header_.registers_at; }

  /// Writes the header (length, fold_length, value and total from `header`), the dimensions and the accesses.
  void begin(const Header& header, int planes, Program& to);
  Instruction* code(Program& to) const;
  Uniform* uniforms(Program& to) const;

 private:
  void order_dims();
  Access access(const std::byte* data, dtype type, const Dims& strides) const;
  void write_access(Program& to, std::size_t number, const std::byte* data, dtype type,
                    const Dims& strides) const;
  void write_reduction(Program& to, std::size_t number) const;

  const Kernel& kernel_;
  const Wanted& wanted_;
  Header header_ = {};
  SmallVector<int, 8> dims_;  // dimension of the kernel, by dimension of the program
  bool wide_;
};

}  // namespace cuprum::cuda::bytecode

#include "backend/cpu/direct.h"

#include "backend/cpu/copies.h"
#include "backend/cpu/loops.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMostElements = 64;

bool contiguous(const Dims& strides, std::int64_t n, dtype type) {
  return n == 1 || strides[0] == static_cast<std::int64_t>(itemsize(type));
}

}  // namespace

bool run_direct(const Kernel& kernel) {
  if (kernel.shape.size() > 1 || kernel.code.size() != 1 || kernel.stores.size() != 1) return false;
  const std::int64_t n = kernel.shape.empty() ? 1 : kernel.shape[0];
  const Store& store = kernel.stores[0];
  const Instr& instr = kernel.code[0];
  const std::size_t leaves = kernel.leaves.size();
  if (n > kMostElements || store.src != leaves + kernel.scalars.size() ||
      !contiguous(store.strides, n, store.type)) {
    return false;
  }
  alignas(64) std::byte filled[kMaxInputs - 1][kMostElements * 16];  // scalars, repeated
  const void* in[kMaxInputs] = {};
  std::size_t used = 0;
  for (int i = 0; i < instr.nsrc; ++i) {
    if (instr.src[i] < leaves) {
      const Leaf& leaf = kernel.leaves[instr.src[i]];
      if (!contiguous(leaf.strides, n, leaf.type)) return false;
      in[i] = leaf.data;
    } else {
      if (used == kMaxInputs - 1) return false;
      const Scalar& scalar = kernel.scalars[instr.src[i] - leaves];
      copies().fill(static_cast<int>(itemsize(scalar.type)), n, filled[used], scalar.bytes);
      in[i] = filled[used++];
    }
  }
  const LoopTable& table = loops();
  const LoopFn loop = instr.op == Op::cast
                          ? table.cast[static_cast<int>(instr.key)][static_cast<int>(instr.out)]
                          : table.loop[static_cast<int>(instr.op)][static_cast<int>(instr.key)];
  loop(n, store.data, in[0], in[1], in[2]);
  return true;
}

}  // namespace cuprum::cpu

#include "backend/cpu/direct.h"

#include "backend/cpu/copies.h"
#include "backend/cpu/instruction_loop.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMostCopied =
    16 * 1024;  // elements: more are worth a second thread or the way past the cache
constexpr std::int64_t kMostComputed = 128;  // elements: two vectors' worth of them would fill a register
constexpr std::size_t kMostValues = 16;      // leaves, scalars and instructions

/// An operand of at most two dimensions, as rows of equal steps.
struct Lines {
  std::int64_t row, col;
};
Lines lines(const Dims& strides) {
  const std::size_t n = strides.size();
  return {n > 1 ? strides[n - 2] : 0, n > 0 ? strides[n - 1] : 0};
}

/// `a[1:-1, 0] = b[1:-1, 1]`, `a[0, :] = 0`: moves elements, or repeats one.
bool copy_directly(const Kernel& kernel) {
  const std::size_t dims = kernel.shape.size();
  const std::int64_t cols = dims > 0 ? kernel.shape[dims - 1] : 1,
                     rows = dims > 1 ? kernel.shape[dims - 2] : 1;
  if (dims > 2 || rows * cols > kMostCopied) return false;
  const Store& store = kernel.stores[0];
  const Lines to = lines(store.strides);
  const int size = static_cast<int>(itemsize(store.type));
  if (store.src < kernel.leaves.size()) {
    const Leaf& leaf = kernel.leaves[store.src];
    const Lines from = lines(leaf.strides);
    if (leaf.data == store.data) return false;  // the identical view
    copies().tile(size, {rows, cols, store.data, to.row, to.col, leaf.data, from.row, from.col});
  } else {
    const Scalar& scalar = kernel.scalars[store.src - kernel.leaves.size()];
    copies().tile(size, {rows, cols, store.data, to.row, to.col, scalar.bytes, 0, 0});
  }
  return true;
}

/// A few instructions over one dimension, one after the other; what does not lie contiguous in memory is gathered into, and scattered
/// from, memory of its own, and so is what lies between two instructions.
class Line {
 public:
  explicit Line(const Kernel& kernel) : k_(kernel), n_(kernel.shape.empty() ? 1 : kernel.shape[0]) {}

  void run() {
    const Store& store = k_.stores[0];
    const std::int64_t step = k_.shape.empty() ? 0 : store.strides[0];
    const auto size = static_cast<std::int64_t>(itemsize(store.type));
    const bool in_place = n_ == 1 || step == size;
    const std::size_t first = k_.leaves.size() + k_.scalars.size(), last = k_.code.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      const Instr& instr = k_.code[i];
      const void* in[kMaxInputs] = {};
      for (int s = 0; s < instr.nsrc; ++s) in[s] = source(instr.src[s]);
      void* to = i == last && in_place ? static_cast<void*>(store.data) : take(itemsize(instr.out));
      instruction_loop(loops(), instr)(n_, to, in[0], in[1], in[2]);
      data_[first + i] = to;
    }
    if (!in_place)
      copies().tile(static_cast<int>(size), {1, n_, store.data, 0, step, data_[first + last], 0, size});
  }

 private:
  const void* source(std::uint16_t value) {
    if (!data_[value]) data_[value] = operand(value);
    return data_[value];
  }

  const void* operand(std::uint16_t value) {
    const void* data;
    std::int64_t step = 0, size;
    if (value < k_.leaves.size()) {
      const Leaf& leaf = k_.leaves[value];
      data = leaf.data;
      size = static_cast<std::int64_t>(itemsize(leaf.type));
      if (!k_.shape.empty()) step = leaf.strides[0];
    } else {
      const Scalar& scalar = k_.scalars[value - k_.leaves.size()];
      data = scalar.bytes;
      size = static_cast<std::int64_t>(itemsize(scalar.type));
    }
    if (n_ == 1 || step == size) return data;
    std::byte* const own = take(static_cast<std::size_t>(size));
    copies().tile(static_cast<int>(size), {1, n_, own, 0, size, data, 0, step});
    return own;
  }

  /// Memory for n elements, and for loads past their end.
  std::byte* take(std::size_t size) {
    std::byte* const memory = own_ + used_;
    used_ += (static_cast<std::size_t>(n_) * size + 127) / 64 * 64;
    return memory;
  }

  const Kernel& k_;
  const std::int64_t n_;
  const void* data_[kMostValues] = {};
  std::size_t used_ = 0;
  alignas(64) std::byte own_[kMostValues * (kMostComputed * 16 + 64)];
};

bool is_short_line(const Kernel& kernel) {
  if (kernel.shape.size() > 1 || kernel.code.empty()) return false;
  if (!kernel.shape.empty() && kernel.shape[0] > kMostComputed) return false;
  const std::size_t before = kernel.leaves.size() + kernel.scalars.size();
  return before + kernel.code.size() <= kMostValues && kernel.stores[0].src == before + kernel.code.size() - 1;
}

}  // namespace

bool run_direct(const Kernel& kernel) {
  if (kernel.stores.size() != 1) return false;
  if (kernel.code.empty()) return copy_directly(kernel);
  if (!is_short_line(kernel)) return false;
  Line(kernel).run();
  return true;
}

}  // namespace cuprum::cpu

#include "backend/cpu/direct.h"

#include "backend/cpu/copies.h"
#include "backend/cpu/instruction_loop.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMostCopied =
    16 * 1024;  // elements: more are worth a second thread or the way past the cache
constexpr std::int64_t kMostComputed = 128;  // elements of a register
// Elements of a line that needs no program. A program takes 120 ns to be made, and then its blocks are better chosen: `a[i] *= 2` of 256
// float64 takes 607 ns with one and 526 without, of 1000 689 and 609, `a[i] += b[i]` of 2000 819 and 888.
constexpr std::int64_t kLongestLine = 1024;
constexpr std::size_t kMostValues = 16;  // leaves, scalars and instructions

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

/// A few instructions over one dimension, one after the other, for as many elements at a time as registers hold. What does not lie
/// contiguous in memory is gathered into a register, and scattered from one.
class Line {
 public:
  explicit Line(const Kernel& kernel) : k_(kernel) {}

  void run() {
    const std::int64_t n = k_.shape.empty() ? 1 : k_.shape[0];
    for (std::int64_t at = 0; at < n; at += kMostComputed) piece(at, std::min(n - at, kMostComputed));
  }

 private:
  void piece(std::int64_t at, std::int64_t n) {
    const Store& store = k_.stores[0];
    const std::int64_t step = k_.shape.empty() ? 0 : store.strides[0];
    const auto size = static_cast<std::int64_t>(itemsize(store.type));
    const bool in_place = n == 1 || step == size;
    const std::size_t leaves = k_.leaves.size(), first = leaves + k_.scalars.size();
    for (std::size_t i = 0; i < leaves; ++i) {
      const Leaf& leaf = k_.leaves[i];
      const std::int64_t from = k_.shape.empty() ? 0 : leaf.strides[0];
      data_[i] = operand(i, leaf.data + at * from, from, static_cast<std::int64_t>(itemsize(leaf.type)), n);
    }
    for (std::size_t i = leaves; i < first && at == 0; ++i) {
      const Scalar& scalar = k_.scalars[i - leaves];
      data_[i] = operand(i, scalar.bytes, 0, static_cast<std::int64_t>(itemsize(scalar.type)), n);
    }
    void* result = nullptr;
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      const Instr& instr = k_.code[i];
      const void* in[kMaxInputs] = {};
      for (int s = 0; s < instr.nsrc; ++s) in[s] = data_[instr.src[s]];
      const bool stored = i + 1 == k_.code.size() && in_place;
      data_[first + i] = result = stored ? static_cast<void*>(store.data + at * step) : own(first + i);
      instruction_loop(loops(), instr)(n, result, in[0], in[1], in[2]);
    }
    if (!in_place)
      copies().tile(static_cast<int>(size), {1, n, store.data + at * step, 0, step, result, 0, size});
  }

  const void* operand(std::size_t value, const void* data, std::int64_t step, std::int64_t size,
                      std::int64_t n) {
    if (n == 1 || step == size) return data;
    copies().tile(static_cast<int>(size), {1, n, own(value), 0, size, data, 0, step});
    return own(value);
  }

  std::byte* own(std::size_t value) { return own_ + value * (kMostComputed * 16 + 64); }

  const Kernel& k_;
  const void* data_[kMostValues] = {};
  alignas(64) std::byte own_[kMostValues * (kMostComputed * 16 + 64)];
};

bool is_short_line(const Kernel& kernel) {
  if (kernel.shape.size() > 1 || kernel.code.empty()) return false;
  if (!kernel.shape.empty() && kernel.shape[0] > kLongestLine) return false;
  const std::size_t before = kernel.leaves.size() + kernel.scalars.size();
  return before + kernel.code.size() <= kMostValues &&
         kernel.stores[0].src == before + kernel.code.size() - 1;
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

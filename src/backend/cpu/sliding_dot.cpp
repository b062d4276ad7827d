// Convolution and correlation: operands made contiguous, results in blocks that threads share out.
#include "backend/cpu/sliding_dot.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/cpu/backend.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/sliding_dot.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

/// The elements of a vector as simd/sliding_dot.h wants them: where they lie, or in a copy.
class Operand {
 public:
  explicit Operand(const View& view) : data_(view.data) {
    const dtype part = real_type(view.type);
    const auto size = static_cast<std::int64_t>(itemsize(part));
    const std::int64_t n = view.shape[0];
    if (is_bool(view.type)) {
      copy_.emplace(n);
      for (std::int64_t i = 0; i < n; ++i)
        copy_->data()[i] = static_cast<std::byte>(view.data[i * view.strides[0]] != std::byte{0});
    } else if (is_complex(view.type)) {
      copy_.emplace(2 * n * size);
      plane(view, view.data, copy_->data(), size);
      plane(view, view.data + size, copy_->data() + n * size, size);
    } else if (view.strides[0] != size || reinterpret_cast<std::uintptr_t>(view.data.address()) % size != 0) {
      copy_.emplace(n * size);
      plane(view, view.data, copy_->data(), size);
    }
    if (copy_) data_ = copy_->data();
  }
  const std::byte* data() const { return data_; }

 private:
  static void plane(const View& view, const std::byte* from, std::byte* to, std::int64_t size) {
    copies().tile(static_cast<int>(size), {1, view.shape[0], to, 0, size, from, 0, view.strides[0]});
  }

  const std::byte* data_;
  std::optional<Scratch<std::byte>> copy_;
};

}  // namespace

void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) {
  const Operand along(a), weights(v);
  const SlidingProduct dot{along.data(), a.shape[0], weights.data(), v.shape[0], left};
  const std::int64_t count = out.shape[0], blocks = (count + kSlidingBlock - 1) / kSlidingBlock;
  const auto size = static_cast<std::int64_t>(itemsize(out.type));
  // Blocks per task: some 64K products.
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / (kSlidingBlock * dot.taps + 1));
  parallel_for((blocks + grain - 1) / grain, [&](std::int64_t task) {
    alignas(64) std::byte results[kSlidingBlock * 16];
    for (std::int64_t b = task * grain; b < std::min(blocks, (task + 1) * grain); ++b) {
      const std::int64_t first = b * kSlidingBlock, n = std::min<std::int64_t>(kSlidingBlock, count - first);
      std::byte* to = out.data + first * out.strides[0];
      const bool plain = out.strides[0] == size && reinterpret_cast<std::uintptr_t>(to) % size == 0;
      CUPRUM_CALL_LEVEL(sliding_block(out.type, dot, first, n, plain ? to : results));
      if (!plain) copies().tile(static_cast<int>(size), {1, n, to, 0, out.strides[0], results, 0, size});
    }
  });
}

void call(const SlidingDot& p, Operands in, const View& out) { sliding_dot(in[0], in[1], p.left, out); }

}  // namespace cuprum::cpu

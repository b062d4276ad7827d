// select, nonzero and masked_assign: something is done with every true element of a mask and its rank (ranks.h).
//
// A warp looks at 128 elements at a time, four per lane: votes give the ranks, and elements are read and written by
// neighbouring lanes.
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/ranks.h"
#include "backend/cuda/primitives/words.cuh"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// Calls use(i, flags, rank) where of the elements [i, i + 4) those of the set `flags` are true; `rank` is that of the
/// first of them. Null `before`: ranks are not asked for.
template <class Use>
__global__ void __launch_bounds__(kMaskThreads)
    each_true(const Mask mask, const std::int64_t* before, const __grid_constant__ Use use) {
  __shared__ unsigned counts[kMaskThreads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t first = std::int64_t{blockIdx.x} * kMaskTile + warp * 1024 + lane * 4;
  unsigned all = 0;  // flags of the eight steps, four bits each
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const std::int64_t i = first + k * 128;
    if (i < mask.size) all |= mask.four(i) << (4 * k);
  }
  const unsigned count = __reduce_add_sync(~0u, __popc(all));
  if (lane == 0) counts[warp] = count;
  __syncthreads();
  std::int64_t rank = before ? before[blockIdx.x] : 0;
  for (int w = 0; w < warp; ++w) rank += counts[w];
  const unsigned lower = (1u << lane) - 1;
#pragma unroll 2
  for (int k = 0; k < 8; ++k) {
    const unsigned flags = all >> (4 * k) & 15;
    unsigned in_lower_lanes = 0, in_all_lanes = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const unsigned votes = __ballot_sync(~0u, flags >> j & 1);
      in_lower_lanes += __popc(votes & lower);
      in_all_lanes += __popc(votes);
    }
    if (flags != 0) use(first + k * 128, flags, rank + in_lower_lanes);
    rank += in_all_lanes;
  }
}

/// out[rank] = in[i], `in` dense: four elements are read at once.
template <class Word>
struct SelectDense {
  const Word* in;
  Word* out;
  std::int64_t size;
  bool aligned;  // to four words

  __device__ void operator()(std::int64_t i, unsigned flags, std::int64_t rank) const {
    struct alignas(4 * sizeof(Word) < 16 ? 4 * sizeof(Word) : 16) Four {
      Word word[4];
    };
    Four four;
    if (aligned && i + 4 <= size) {
      four = *reinterpret_cast<const Four*>(in + i);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) four.word[j] = flags >> j & 1 ? in[i + j] : Word{};
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (flags >> j & 1) out[rank++] = four.word[j];
    }
  }
};

template <class Word>
struct SelectStrided {
  const char* in;
  Word* out;
  Layout<1> layout;

  __device__ void operator()(std::int64_t i, unsigned flags, std::int64_t rank) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (!(flags >> j & 1)) continue;
      std::int64_t at[1];
      layout.offsets(i + j, at);
      out[rank++] = load<Word>(in + at[0]);
    }
  }
};

template <class Word>
struct Assign {
  char* to;
  Layout<1> layout;
  const char* from;
  std::int64_t step;

  __device__ void operator()(std::int64_t i, unsigned flags, std::int64_t rank) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (!(flags >> j & 1)) continue;
      std::int64_t at[1];
      layout.offsets(i + j, at);
      store(to + at[0], load<Word>(from + step * rank++));
    }
  }
};

struct Coordinates {
  int ndim;
  bool narrow;
  char* out;
  std::int64_t row, column;  // strides of `out`
  std::int64_t shape[kMaxDims];
  Divider by[kMaxDims];

  __device__ void operator()(std::int64_t i, unsigned flags, std::int64_t rank) const {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (flags >> j & 1) write(i + j, out + row * rank++);
    }
  }
  __device__ void write(std::int64_t i, char* to) const {
    for (int d = ndim - 1; d > 0; --d) {
      const std::int64_t quotient = by[d].quotient(i, narrow);
      store(to + d * column, i - quotient * shape[d]);
      i = quotient;
    }
    store(to, i);
  }
};

template <class Use>
void use_each(Context& context, const Mask& mask, const std::int64_t* before, const Use& use,
              const char* what) {
  each_true<<<block_count(mask.size, kMaskTile), kMaskThreads, 0, context.stream>>>(mask, before, use);
  launched(context, what);
}

}  // namespace

}  // namespace primitives

using namespace primitives;

void select(Context& context, const View& in, const View& mask, const View& out) {
  if (size_of(mask) == 0) return;
  const Dense dense(context, mask);
  const Mask flags(dense.view());
  const Ranks ranks(context, flags);
  Layout<1> layout;
  const bool strided = !is_dense(in) && is_aligned(in) && make_layout<1>({&in}, 0, in.shape.size(), layout);
  std::optional<Dense> from;
  if (!strided) from.emplace(context, in);
  DenseOutput to(context, out);
  with_word(itemsize(in.type), [&](auto word) {
    using Word = decltype(word);
    auto* target = reinterpret_cast<Word*>(to.view().data);
    if (strided) {
      use_each(context, flags, ranks.before(), SelectStrided<Word>{bytes(in.data), target, layout}, "select");
    } else {
      const std::byte* data = from->view().data;
      const bool aligned =
          reinterpret_cast<std::uintptr_t>(data) % std::min<std::size_t>(16, 4 * sizeof(Word)) == 0;
      const SelectDense<Word> use{reinterpret_cast<const Word*>(data), target, flags.size, aligned};
      use_each(context, flags, ranks.before(), use, "select");
    }
  });
  to.finish(context);
}

void nonzero(Context& context, const View& mask, const View& out) {
  if (size_of(mask) == 0 || mask.shape.empty()) return;
  const Dense dense(context, mask);
  const Mask flags(dense.view());
  const Ranks ranks(context, flags);
  DenseOutput to(context, out);
  Coordinates use{};
  use.ndim = static_cast<int>(mask.shape.size());
  use.narrow = is_narrow(flags.size);
  use.out = bytes(to.view().data);
  use.row = to.view().strides[0];
  use.column = to.view().strides[1];
  for (int d = 0; d < use.ndim; ++d) {
    use.shape[d] = mask.shape[d];
    use.by[d] = Divider(mask.shape[d]);
  }
  use_each(context, flags, ranks.before(), use, "nonzero");
  to.finish(context);
}

void masked_assign(Context& context, const View& to, const View& mask, const View& from) {
  if (size_of(mask) == 0 || from.shape[0] == 0) return;
  const Dense dense(context, mask);
  const Mask flags(dense.view());
  const std::int64_t step = from.shape[0] == 1 ? 0 : from.strides[0];
  std::optional<Ranks> ranks;
  if (step != 0) ranks.emplace(context, flags);
  Layout<1> layout;
  std::optional<DenseOutput> target;
  View written = to;
  if (!is_aligned(to) || !make_layout<1>({&to}, 0, to.shape.size(), layout)) {
    written = target.emplace(context, to, true).view();
    make_layout<1>({&written}, 0, written.shape.size(), layout);
  }
  std::optional<Dense> values;
  View read = from;
  if (!is_aligned(from)) read = values.emplace(context, from).view();
  const std::int64_t read_step = from.shape[0] == 1 || from.strides[0] == 0 ? 0 : read.strides[0];
  with_word(itemsize(to.type), [&](auto word) {
    const Assign<decltype(word)> use{bytes(written.data), layout, bytes(read.data), read_step};
    use_each(context, flags, ranks ? ranks->before() : nullptr, use, "masked_assign");
  });
  if (target) target->finish(context);
}

}  // namespace cuprum::cuda

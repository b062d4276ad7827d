// select, nonzero and masked_assign: something is done with every true element of a mask and its rank (mask_kernels.cuh).
#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/mask/mask_kernels.cuh"
#include "backend/cuda/primitives/mask/mask_uses.cuh"
#include "backend/cuda/primitives/mask/ranks.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

template <class Use>
void use_each(Context& context, const Mask& mask, const std::int64_t* before, const Use& use,
              const char* what) {
  each_true<<<block_count(mask.size, kMaskTile), kMaskThreads, 0, context.stream>>>(mask, before, use);
  launched(context, what);
}

const RankedMask& ranks_of(const CountedMask& mask) { return static_cast<const CountedRanks&>(mask).ranks; }

}  // namespace

}  // namespace primitives

using namespace primitives;

static void select(Context& context, const View& in, const CountedMask& mask, const View& out) {
  const RankedMask& ranks = ranks_of(mask);
  Layout<1> layout;
  const bool strided = !is_dense(in) && is_aligned(in) && make_layout<1>({&in}, 0, in.shape.size(), layout);
  std::optional<Dense> from;
  if (!strided) from.emplace(context, in);
  DenseOutput to(context, out);
  with_word(itemsize(in.type), [&](auto word) {
    using Word = decltype(word);
    auto* target = reinterpret_cast<Word*>(to.view().data.address());
    if (strided) {
      use_each(context, ranks.mask(), ranks.before(), SelectStrided<Word>{bytes(in.data), target, layout},
               "select");
    } else {
      const SelectDense<Word> use{reinterpret_cast<const Word*>(from->view().data.address()), target};
      use_each(context, ranks.mask(), ranks.before(), use, "select");
    }
  });
  to.finish(context);
}

static void nonzero(Context& context, const Dims& shape, const CountedMask& mask, const View& out) {
  const RankedMask& ranks = ranks_of(mask);
  DenseOutput to(context, out);
  const auto ndim = static_cast<int>(shape.size());
  auto* target = reinterpret_cast<std::int64_t*>(to.view().data.address());
  if (ndim == 1) {
    use_each(context, ranks.mask(), ranks.before(), Positions{target}, "nonzero");
  } else {
    Coordinates use{};
    use.ndim = ndim;
    use.narrow = is_narrow(ranks.mask().size);
    use.out = target;
    for (int d = 0; d < ndim; ++d) {
      use.shape[d] = shape[d];
      use.by[d] = Divider(shape[d]);
    }
    use_each(context, ranks.mask(), ranks.before(), use, "nonzero");
  }
  to.finish(context);
}

namespace {

/// to at the true elements of `flags` = what lies at `from`, `step` bytes from one to the next of them.
void assign(Context& context, const View& to, const Mask& flags, const std::int64_t* before, std::byte* from,
            std::int64_t step, const char* what) {
  Layout<1> layout;
  std::optional<DenseOutput> target;
  View written = to;
  if (!is_aligned(to) || !make_layout<1>({&to}, 0, to.shape.size(), layout)) {
    written = target.emplace(context, to, true).view();
    make_layout<1>({&written}, 0, written.shape.size(), layout);
  }
  with_word(itemsize(to.type), [&](auto word) {
    use_each(context, flags, before, Assign<decltype(word)>{bytes(written.data), layout, bytes(from), step},
             what);
  });
  if (target) target->finish(context);
}

}  // namespace

static void masked_assign(Context& context, const View& to, const CountedMask& mask, const View& from) {
  const RankedMask& ranks = ranks_of(mask);
  std::optional<Dense> values;
  const View read = is_aligned(from) ? from : values.emplace(context, from).view();
  assign(context, to, ranks.mask(), ranks.before(), read.data, read.strides[0], "masked_assign");
}

static void masked_fill(Context& context, const View& to, const View& mask, const View& value) {
  const Dense dense(context, mask);
  std::optional<Dense> aligned;
  const View read = is_aligned(value) ? value : aligned.emplace(context, value).view();
  assign(context, to, Mask(dense.view().data, size_of(mask)), nullptr, read.data, 0, "masked_fill");
}

void call(Context& context, const Select& p, Operands in, const View& out) {
  select(context, in[0], *p.counted, out);
}
void call(Context& context, const Nonzero& p, Operands in, const View& out) {
  nonzero(context, in[0].shape, *p.counted, out);
}
void call(Context& context, const MaskedAssign& p, Operands in, const View& out) {
  masked_assign(context, out, *p.counted, in[0]);
}
void call(Context& context, const MaskedFill&, Operands in, const View& out) {
  masked_fill(context, out, in[0], in[1]);
}

}  // namespace cuprum::cuda

// select, nonzero and masked_assign: something is done with every true element of a mask and its rank (mask_kernels.cuh).
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/mask_kernels.cuh"
#include "backend/cuda/primitives/mask_uses.cuh"
#include "backend/cuda/primitives/ranks.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

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
  const auto ranks = ranked(context, mask);
  Layout<1> layout;
  const bool strided = !is_dense(in) && is_aligned(in) && make_layout<1>({&in}, 0, in.shape.size(), layout);
  std::optional<Dense> from;
  if (!strided) from.emplace(context, in);
  DenseOutput to(context, out);
  with_word(itemsize(in.type), [&](auto word) {
    using Word = decltype(word);
    auto* target = reinterpret_cast<Word*>(to.view().data);
    if (strided) {
      use_each(context, ranks->mask(), ranks->before(), SelectStrided<Word>{bytes(in.data), target, layout},
               "select");
    } else {
      const SelectDense<Word> use{reinterpret_cast<const Word*>(from->view().data), target};
      use_each(context, ranks->mask(), ranks->before(), use, "select");
    }
  });
  to.finish(context);
}

void nonzero(Context& context, const View& mask, const View& out) {
  if (size_of(mask) == 0 || mask.shape.empty()) return;
  const auto ranks = ranked(context, mask);
  DenseOutput to(context, out);
  const auto ndim = static_cast<int>(mask.shape.size());
  auto* target = reinterpret_cast<std::int64_t*>(to.view().data);
  if (ndim == 1) {
    use_each(context, ranks->mask(), ranks->before(), Positions{target}, "nonzero");
  } else {
    Coordinates use{};
    use.ndim = ndim;
    use.narrow = is_narrow(ranks->mask().size);
    use.out = target;
    for (int d = 0; d < ndim; ++d) {
      use.shape[d] = mask.shape[d];
      use.by[d] = Divider(mask.shape[d]);
    }
    use_each(context, ranks->mask(), ranks->before(), use, "nonzero");
  }
  to.finish(context);
}

void masked_assign(Context& context, const View& to, const View& mask, const View& from) {
  if (size_of(mask) == 0 || from.shape[0] == 0) return;
  const std::int64_t step = from.shape[0] == 1 ? 0 : from.strides[0];
  std::optional<Dense> dense;
  std::shared_ptr<const RankedMask> ranks;  // one value for all needs none
  if (step != 0) {
    ranks = ranked(context, mask);
  } else {
    dense.emplace(context, mask);
  }
  const Mask flags = ranks ? ranks->mask() : Mask(dense->view().data, size_of(mask));
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

// The programs of Fourier transforms on CUDA (primitives/fft/program.h), run on the host: copies element by element, cuFFT's
// plans by their addresses and the definition; those to reals spoil what they read. They give the transform, whatever the
// layout, and the plain cases are as few steps as they can be.
#include <cmath>
#include <complex>
#include <deque>

#include "backend/cuda/primitives/fft/program.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::fft;
using Kind = Fft::Kind;
using Complex = std::complex<double>;

Complex load(const View& view, const Dims& at) {
  return reference::cast(reference::load(view.type, reference::address(view, at)), dtype::complex128)
      .as<Complex>();
}
void store(Complex value, const View& view, const Dims& at) {
  const Scalar wide =
      is_complex(view.type) ? Scalar::of(dtype::complex128, value) : Scalar::of(dtype::float64, value.real());
  reference::store(reference::cast(wide, view.type), reference::address(view, at));
}

class HostRun {
 public:
  HostRun(const Program& program, const View& in, const View& out) {
    for (const View* view : {&in, &out}) {
      const auto address = reinterpret_cast<std::uintptr_t>(view->data.address());
      memories_.push_back(view->data.address() - address % kAlignment);
    }
    for (std::size_t nbytes : program.scratch) {
      auto& memory = scratch_.emplace_back(nbytes + kAlignment, std::byte{0x5a});
      memories_.push_back(memory.data() +
                          (kAlignment - reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment));
    }
    for (const Step& step : program.steps) std::visit(*this, step);
  }

  void operator()(const Zero& zero) {
    const View at = view(zero.at);
    reference::each(at.shape, [&](const Dims& i) { store(0, at, i); });
  }

  void operator()(const Move& move) {
    const View from = view(move.from), to = view(move.to);
    ASSERT_TRUE(from.shape == to.shape && from.type == to.type);
    reference::each(to.shape, [&](const Dims& i) {
      const Complex x = load(from, i) * move.scale;
      store(move.conjugate ? std::conj(x) : x, to, i);
    });
  }

  void operator()(const Transform& transform) {
    const Lines lines = read(written(std::vector{transform.how.lines})).at(0);
    ASSERT_TRUE(lines == transform.how.lines);
    const Arrangement& how = transform.how;
    reference::each(how.loops, [&](const Dims& at) {
      std::int64_t in = 0, out = 0;
      for (std::size_t d = 0; d < at.size(); ++d) {
        in += at[d] * how.in_steps[d];
        out += at[d] * how.out_steps[d];
      }
      call(lines, view(transform.from), in, view(transform.to), out, transform.backward);
    });
  }

 private:
  /// Transform `b` of a call, as cuFFT finds it.
  static View lines_at(const View& view, std::int64_t offset, const Lines& lines, const Side& side,
                       bool halved, std::int64_t b) {
    const auto item = static_cast<std::int64_t>(itemsize(view.type));
    View one{view.data, view.type, {}, {}, {}};
    one.data += offset + b * side.dist * item;
    const std::int64_t alignment = is_complex(view.type) ? item : 2 * item;
    EXPECT_EQ(reinterpret_cast<std::intptr_t>((view.data + offset)) % alignment, 0);
    std::int64_t stride = side.stride;
    for (auto k = static_cast<std::size_t>(lines.rank); k-- > 0;) {
      const bool last = k + 1 == static_cast<std::size_t>(lines.rank);
      one.shape.insert(0, halved && last ? lines.lengths[k] / 2 + 1 : lines.lengths[k]);
      one.strides.insert(0, stride * item);
      stride *= side.embed[k];
    }
    return one;
  }

  static void call(const Lines& lines, const View& from, std::int64_t in, const View& to, std::int64_t out,
                   bool backward) {
    Fft p{lines.kind, lines.kind == Kind::points ? backward : lines.kind == Kind::to_real, {}, {}, 1};
    for (std::int64_t k = 0; k < lines.rank; ++k) {
      p.axes.push_back(k);
      p.lengths.push_back(lines.lengths[static_cast<std::size_t>(k)]);
    }
    for (std::int64_t b = 0; b < lines.batch; ++b) {
      const View x = lines_at(from, in, lines, lines.in, lines.kind == Kind::to_real, b),
                 y = lines_at(to, out, lines, lines.out, lines.kind == Kind::from_real, b);
      ASSERT_EQ(x.type, lines.kind == Kind::from_real ? real_type(y.type) : x.type);
      if (lines.kind == Kind::to_real) {
        ASSERT_EQ(lines.rank, 1);
        EXPECT_EQ(load(x, {0}).imag(), 0);
        EXPECT_TRUE(p.lengths[0] % 2 != 0 || load(x, {p.lengths[0] / 2}).imag() == 0);
      }
      Rng rng(0);
      const Owned made = random_layout(rng, y.type, y.shape, true);
      reference::call(p, {&x, 1}, made);
      if (lines.kind == Kind::to_real) {
        reference::each(x.shape, [&](const Dims& i) { store(NAN, x, i); });
      }
      reference::each(y.shape, [&](const Dims& i) { store(load(made, i), y, i); });
    }
  }

  View view(const Region& region) const {
    return {memories_[static_cast<std::size_t>(region.memory)] + region.offset,
            region.type,
            region.shape,
            region.strides,
            {}};
  }

  std::deque<std::vector<std::byte>> scratch_;
  std::vector<std::byte*> memories_;
};

/// Moves a view to an address that is a multiple of nothing, sometimes.
void misalign(Rng& rng, Owned& view) {
  if (pick(rng, 0, 9) != 0) return;
  const std::ptrdiff_t start = view.data - view.memory.data();
  view.memory.resize(view.memory.size() + 1);
  view.data = view.memory.data() + start + 1;
}

Dims out_shape(const Fft& p, Dims shape) {
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    const bool halved = p.kind == Kind::from_real && i + 1 == p.axes.size();
    shape[static_cast<std::size_t>(p.axes[i])] = halved ? p.lengths[i] / 2 + 1 : p.lengths[i];
  }
  return shape;
}

void check(Rng& rng, const Fft& p, dtype type, const Dims& in_shape) {
  const dtype complex = itemsize(real_type(type)) == 8 ? dtype::complex128 : dtype::complex64;
  const dtype out_type = p.kind == Kind::to_real ? real_type(type) : complex;
  Owned in = random_layout(rng, type, in_shape);
  misalign(rng, in);
  std::normal_distribution<> normal;
  reference::each(in_shape, [&](const Dims& at) { store({normal(rng), normal(rng)}, in, at); });
  const std::vector<std::byte> before = in.memory;
  const Dims shape = out_shape(p, in_shape);
  Owned out = empty_like(rng, out_type, shape);
  misalign(rng, out);
  const std::size_t gaps =
      out.memory.size() - static_cast<std::size_t>(element_count(shape)) * itemsize(out_type);
  const auto untouched = [&] { return std::count(out.memory.begin(), out.memory.end(), std::byte{0x5a}); };
  HostRun(program_of(p, in, out), in, out);
  EXPECT_TRUE(in.memory == before);
  EXPECT_GE(static_cast<std::size_t>(untouched()), gaps > 0 ? gaps - 1 : 0);  // one more byte: misaligned
  const Owned want = random_layout(rng, out_type, shape, true);
  const View operand = in;
  reference::call(p, {&operand, 1}, want);
  double error = 0, size = 1e-30;
  reference::each(shape, [&](const Dims& at) {
    error += std::norm(load(out, at) - load(want, at));
    size += std::norm(load(want, at));
  });
  const double eps = complex == dtype::complex128 ? 1e-15 : 1e-6;
  EXPECT_LE(std::sqrt(error / size), 10 * eps)
      << "kind " << static_cast<int>(p.kind) << ", axes " << to_string(p.axes) << ", lengths "
      << to_string(p.lengths) << " of " << to_string(in_shape);
}

TEST(CudaFft, ProgramsGiveTheTransform) {
  Rng rng(1);
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const Kind kind = static_cast<Kind>(pick(rng, 0, 2));
    Dims shape, all;
    for (std::int64_t d = pick(rng, 1, 5), n = d; d > 0; --d) {
      shape.push_back(pick(rng, 1, n > 3 ? 4 : 7));
      all.push_back(static_cast<std::int64_t>(all.size()));
    }
    std::shuffle(all.begin(), all.end(), rng);
    Fft p{kind, pick(rng, 0, 1) == 1, {}, {}, pick(rng, 0, 1) ? 1.0 : 0.25};
    p.axes = Dims(all.begin(), all.begin() + pick(rng, 1, static_cast<std::int64_t>(all.size())));
    for (std::int64_t axis : p.axes) {
      const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
      p.lengths.push_back(pick(rng, 0, 3) ? extent : pick(rng, 1, 8));
    }
    if (kind == Kind::to_real && pick(rng, 0, 1))
      p.lengths.back() = 2 * shape[static_cast<std::size_t>(p.axes.back())] - 1;
    const bool wide = pick(rng, 0, 1),
               real = kind == Kind::from_real || (kind == Kind::points && pick(rng, 0, 1));
    check(rng, p,
          real   ? (wide ? dtype::float64 : dtype::float32)
          : wide ? dtype::complex128
                 : dtype::complex64,
          shape);
  }
}

TEST(CudaFft, OperandsOfNoElementsArePaddedWithZeros) {
  Rng rng(2);
  check(rng, {Kind::points, false, {0}, {5}, 1}, dtype::complex64, {0});
  check(rng, {Kind::points, true, {1}, {4}, 0.5}, dtype::float64, {3, 0});
  check(rng, {Kind::from_real, false, {0, 1}, {2, 4}, 1}, dtype::float32, {2, 0});
  check(rng, {Kind::to_real, true, {1}, {6}, 1}, dtype::complex128, {2, 0});
}

View plain(dtype type, const Dims& shape) {
  return {nullptr, type, shape, contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type))), {}};
}

/// The steps of a program in a word: Z, M (S with a factor), and T with the axes and calls of the transform.
std::string steps(const Fft& p, dtype type, const Dims& shape) {
  const dtype complex = itemsize(real_type(type)) == 8 ? dtype::complex128 : dtype::complex64;
  const Program program = program_of(
      p, plain(type, shape), plain(p.kind == Kind::to_real ? real_type(type) : complex, out_shape(p, shape)));
  std::string text;
  for (const Step& step : program.steps) {
    if (const auto* transform = std::get_if<Transform>(&step)) {
      text += "T" + std::to_string(transform->how.lines.rank) + "x" +
              std::to_string(element_count(transform->how.loops)) + " ";
    } else if (const auto* move = std::get_if<Move>(&step)) {
      text += move->scale == 1 ? "M " : "S ";
    } else {
      text += "Z ";
    }
  }
  return text;
}

TEST(CudaFft, PlainCasesAreFewSteps) {
  const dtype c = dtype::complex64, r = dtype::float32;
  const Kind points = Kind::points;
  EXPECT_EQ(steps({points, false, {0}, {1024}, 1}, c, {1024}), "T1x1 ");
  EXPECT_EQ(steps({points, true, {0}, {1024}, 0.5}, c, {1024}), "T1x1 S ");
  EXPECT_EQ(steps({points, false, {1}, {16}, 1}, c, {100, 16}), "T1x1 ");
  EXPECT_EQ(steps({points, false, {0}, {100}, 1}, c, {100, 16}), "T1x1 ");
  EXPECT_EQ(steps({points, false, {0}, {8192}, 1}, c, {8192, 16}), "M T1x1 M ");  // long columns
  EXPECT_EQ(steps({points, false, {0}, {1000}, 1}, c, {1000, 16}), "T1x1 ");
  EXPECT_EQ(steps({points, false, {0}, {1000}, 1}, dtype::complex128, {1000, 16}), "M T1x1 M ");
  EXPECT_EQ(steps({points, false, {0}, {1024}, 1}, dtype::complex128, {1024, 16}), "T1x1 ");
  EXPECT_EQ(steps({points, false, {1, 2}, {8, 8}, 1}, c, {9, 8, 8}), "T2x1 ");
  EXPECT_EQ(steps({points, false, {0, 1}, {9, 8}, 1}, c, {9, 8, 8}), "T2x1 ");
  EXPECT_EQ(steps({points, false, {2, 0, 1}, {8, 9, 8}, 1}, c, {9, 8, 8}), "T3x1 ");
  EXPECT_EQ(steps({points, false, {1}, {8}, 1}, c, {4, 8, 8}), "T1x4 ");  // few calls
  EXPECT_EQ(steps({points, true, {1}, {8}, 0.5}, c, {9, 8, 10}),
            "M T1x1 S ");  // many: there, and back with the factor
  EXPECT_EQ(steps({points, false, {1}, {1024}, 1}, c, {64, 1024, 1024}), "T1x64 ");  // of 8 MiB each
  EXPECT_EQ(steps({points, false, {1}, {10}, 1}, c, {5, 16}), "T1x1 ");              // cropped where it lies
  EXPECT_EQ(steps({points, false, {1}, {32}, 1}, c, {5, 16}), "Z M T1x1 ");          // padded in the result
  EXPECT_EQ(steps({points, false, {0}, {1}, 1}, c, {1, 16}), "M ");
  EXPECT_EQ(steps({Kind::from_real, false, {0, 1}, {8, 8}, 1}, r, {8, 8}), "T2x1 ");
  EXPECT_EQ(steps({Kind::to_real, true, {0}, {8}, 0.5}, c, {5}), "M Z Z T1x1 S ");
  EXPECT_EQ(steps({Kind::to_real, true, {0, 1}, {9, 9}, 1}, c, {9, 5}), "T1x1 Z T1x1 ");
  EXPECT_EQ(steps({points, false, {0}, {8}, 1}, r, {8}), "T1x1 M ");  // half of it, and the mirror image
}

}  // namespace
}  // namespace cuprum

// Kernels that draw leaves give the bits that they give where the numbers lie in memory.
#include "cuda_leaves.h"

namespace cuprum::cuda {
namespace {

constexpr dtype f2 = dtype::float16, f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32,
                i8 = dtype::int64, u1 = dtype::uint8, u4 = dtype::uint32, b1 = dtype::bool_,
                c8 = dtype::complex64, c16 = dtype::complex128;

constexpr BitKind kKinds[] = {BitKind::philox4x32, BitKind::pcg64, BitKind::pcg64dxsm, BitKind::philox};

Draw draw_of(Law law, BitKind kind, int skipped = 0, bool half = false) {
  std::array<std::uint64_t, 8> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = 0x9e3779b97f4a7c15u * (i + 1);
  BitState state = seeded(kind, std::span(words).first(static_cast<std::size_t>(seed_words(kind))));
  skip(state, static_cast<std::uint64_t>(skipped));
  if (half) skip_units(state, 32, 1);
  Draw draw{};
  draw.law = law;
  draw.kind = kind;
  draw.from = std::make_shared<const BitState>(state);
  return draw;
}

// From any place of a generator's block on, in one row and in rows that do not merge.
TEST_F(CudaLeaves, DrawsOfEveryGenerator) {
  for (const BitKind kind : kKinds) {
    const BitKind narrow =
        kind == BitKind::philox ? BitKind::pcg64 : kind;  // whose draws are not cut in halves
    for (const std::int64_t n : {5, 3001}) {
      KernelBuilder b({n});
      const auto x = b.draw(f8, {8}, draw_of(Law::random, kind, static_cast<int>(n % 4)));
      const auto y = b.draw(f4, {4}, draw_of(Law::random_f, narrow, 1, n % 3 == 1));
      b.store(b.apply(Op::multiply, f8, {x, b.cast(y, f4, f8)}), f8);
      b.reduce(ReduceOp::sum, x, f8, f8, 1);
      check(b.done());
    }
    KernelBuilder rows({7, 33});
    const auto x = rows.draw(f4, {33 * 4, 4}, draw_of(Law::random_f, narrow, 2, true), 5),
               back = rows.draw(f8, {33 * 8, -8}, draw_of(Law::random, kind), 40),
               one = rows.draw(f8, {8, 0}, draw_of(Law::random, kind, 3));
    rows.store(rows.apply(Op::add, f4, {x, rows.leaf(f4, {0, 4})}), f4);
    rows.store(rows.apply(Op::add, f8, {back, one}), f8);
    check(rows.done());
  }
}

TEST_F(CudaLeaves, DrawsOfEveryLaw) {
  const Law wide[] = {Law::random, Law::triangular, Law::inverse_exponential, Law::standard_normal,
                      Law::standard_exponential};
  const Law narrow[] = {Law::random_f, Law::inverse_exponential_f};
  for (const bool scaled : {false, true}) {
    KernelBuilder b({4001});
    auto total = b.scalar(f8, 0.25);
    for (const Law law : wide) {
      Draw draw = draw_of(law, BitKind::philox4x32, scaled);
      if (law == Law::triangular) {
        draw.parameters = {std::bit_cast<std::uint64_t>(-1.0), std::bit_cast<std::uint64_t>(0.5),
                           std::bit_cast<std::uint64_t>(3.0)};
      } else {
        draw.scaled = scaled, draw.loc = -3, draw.scale = 0.3;
      }
      total = b.apply(Op::add, f8, {total, b.draw(f8, {8}, draw)});
    }
    b.store(total, f8);
    check(b.done());
  }
  KernelBuilder singles({4001});
  auto total = singles.scalar(f4, 0.25f);
  for (const Law law : narrow)
    total = singles.apply(Op::add, f4,
                          {total, singles.draw(f4, {4}, draw_of(law, BitKind::philox4x32, 0, true))});
  singles.store(total, f4);
  check(singles.done());
  KernelBuilder bits({1001});
  bits.store(bits.draw(dtype::uint64, {8}, draw_of(Law::raw, BitKind::pcg64)), dtype::uint64);
  bits.store(bits.draw(u4, {4}, draw_of(Law::half, BitKind::pcg64dxsm, 1, true)), u4);
  bits.store(bits.draw(dtype::uint64, {8}, draw_of(Law::raw, BitKind::philox4x32, 1)), dtype::uint64);
  check(bits.done());
}

TEST_F(CudaLeaves, DrawsOfIntegers) {
  for (const bool masked : {false, true}) {
    KernelBuilder b({4001});
    for (const dtype type : {dtype::int8, dtype::uint16, i4, i8, dtype::uint64}) {
      Draw draw = draw_of(masked ? Law::masked_integers : Law::integers, BitKind::philox4x32, 1, true);
      draw.parameters = {static_cast<std::uint64_t>(-3), 99, 0};
      if (type == dtype::uint64) draw.parameters[1] = 0x1234567890abcdefu;
      b.store(b.draw(type, b.contiguous(type), draw), type);
    }
    check(b.done());
  }
}

TEST_F(CudaLeaves, DrawsThatAreReduced) {
  using R = ReduceOp;
  struct Reduced {
    Dims shape;
    std::uint64_t axes;
  };
  const Reduced all[] = {{{300001}, 1}, {{40, 130}, 2}, {{130, 44}, 1}, {{3, 50, 40}, 2}};
  int turn = 0;
  for (const auto& [shape, axes] : all) {
    const BitKind kind = kKinds[turn++ % 2];
    KernelBuilder b(shape);
    const auto x = b.draw(f8, b.contiguous(f8), draw_of(Law::random, kind, turn)),
               y = b.draw(f8, b.contiguous(f8),
                          draw_of(kind == BitKind::pcg64 ? Law::random : Law::standard_normal, kind, 7));
    const auto z = b.apply(Op::add, f8, {b.apply(Op::multiply, f8, {x, x}), y});
    b.reduce(R::sum, b.cast(b.apply(Op::less_equal, f8, {z, b.scalar(f8, 1.0)}), b1, i8), i8, i8, axes);
    check(b.done());
    KernelBuilder more(shape);
    const auto w = more.draw(f4, more.contiguous(f4), draw_of(Law::random_f, kind, turn, true));
    more.reduce(R::var, w, f4, f4, axes);
    more.reduce(R::argmax, w, f4, i8, axes);
    more.reduce(R::generic, w, f4, f4, axes).fold = Op::subtract;
    check(more.done());
  }
}

TEST_F(CudaLeaves, DrawsOfRowPrograms) {
  for (const std::int64_t n : {40, 30000}) {
    KernelBuilder b({3, n});
    const auto x = b.draw(f4, b.contiguous(f4),
                          draw_of(Law::random_f, n == 40 ? BitKind::pcg64 : BitKind::philox4x32)),
               row = b.draw(f4, {4, 0}, draw_of(Law::random_f, BitKind::philox4x32, 1));
    const auto y = b.apply(Op::multiply, f4, {x, row});
    b.reduce(ReduceOp::max, y, f4, f4, 2).data = nullptr;
    b.stage();
    b.store(b.apply(Op::divide, f4, {y, b.result()}), f4);
    b.stage();
    Plan plan;
    ASSERT_TRUE(make_row_plan(b.done(), true, plan));
    check(b.kernel);
  }
}

TEST_F(CudaLeaves, WhatIsDrawnIsInTheKey) {
  const auto key = [](const std::function<void(Draw&)>& change, std::int64_t n = 4000) {
    KernelBuilder b({n});
    Draw draw = draw_of(Law::integers, BitKind::philox4x32);
    draw.parameters = {3, 100, 0};
    change(draw);
    b.store(b.draw(i8, {8}, draw), i8);
    Kernel kernel = b.done();
    Plan plan;
    make_plan(kernel, Pass::elementwise, true, plan);
    Key key;
    make_key(kernel, plan, key);
    return std::string(key.text());
  };
  const std::string plain = key([](Draw&) {});
  EXPECT_EQ(plain, key([](Draw& d) { d.parameters = {7, 1000, 0}, d.loc = 7; }, 9000));
  EXPECT_NE(plain, key([](Draw& d) { d.parameters[1] = std::uint64_t{1} << 40; }));  // of 64 bits
  EXPECT_NE(plain, key([](Draw& d) { d.law = Law::masked_integers; }));
  EXPECT_NE(key([](Draw& d) { d.law = Law::raw; }),
            key([](Draw& d) { d.law = Law::raw, d.kind = BitKind::pcg64; }));
}

}  // namespace
}  // namespace cuprum::cuda

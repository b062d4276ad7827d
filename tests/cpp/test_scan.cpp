// Scans on the CPU backend: exact folds and rows of one chunk against the plain loop, long sums against the
// chunked definition, every layout against every other.
#include "backend/cpu/scan.h"

#include "backend/cpu/simd/scan.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;
using reference::address;
using reference::apply;
using reference::load;

const ScanOp kOps[] = {ScanOp::sum, ScanOp::prod, ScanOp::min, ScanOp::max};

bool finite(const Scalar& x) {
  const Scalar wide = reference::cast(x, dtype::complex128);
  double part[2];
  std::memcpy(part, wide.bytes, sizeof(part));
  return part[0] - part[0] == 0 && part[1] - part[1] == 0;
}

/// Sums of floats as scan.h defines them: by chunks, except where the sum within a chunk overflows.
void chunked_sum(const View& in, const View& out) {
  reference::each(reference::head(in.shape, in.shape.size() - 1), [&](const Dims& row) {
    const auto element = [&](const View& v, std::int64_t i) {
      return address(v, reference::joined(row, {i}));
    };
    Scalar start;
    for (std::int64_t first = 0; first < in.shape.back(); first += kScanChunk) {
      const std::int64_t end = std::min(in.shape.back(), first + kScanChunk);
      Scalar local = load(in.type, element(in, first)), carried = start;
      std::vector<Scalar> sums, sequential;
      for (std::int64_t i = first; i < end; ++i) {
        const Scalar x = load(in.type, element(in, i));
        if (i > first) local = apply(Op::add, local, x);
        if (first > 0) carried = apply(Op::add, carried, x);
        sums.push_back(first > 0 ? apply(Op::add, start, local) : local);
        sequential.push_back(carried);
      }
      if (first > 0 && !finite(local) && !reference::is_nan(start)) sums = sequential;
      for (std::int64_t i = first; i < end; ++i) reference::store(sums[i - first], element(out, i));
      start = sums.back();
    }
  });
}

void expected_scan(ScanOp op, const View& in, const View& out) {
  const bool chunked =
      op == ScanOp::sum && itemsize(in.type) > 2 && (is_floating(in.type) || is_complex(in.type));
  chunked ? chunked_sum(in, out) : reference::scan(op, Op::count_, in, out);
}

void check(Rng& rng, ScanOp op, const Owned& in) {
  const Owned expected = empty_like(rng, in.type, in.shape);
  expected_scan(op, in, expected);
  const std::string what = std::string(name(in.type)) + " op " + std::to_string(static_cast<int>(op)) +
                           " n " + std::to_string(in.shape.back());
  with_threads([&](int threads) {
    const Owned out = empty_like(rng, in.type, in.shape);
    cpu::scan(op, Op::count_, in, out);
    expect_same(out, expected, what + " threads " + std::to_string(threads), Same::any_nan);
  });
}

/// As random_array, without what a fold would never recover from.
Owned tame_array(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape);
  fill(view, [&] {
    Scalar x;
    do x = random_value(rng, type);
    while (!finite(x));
    return x;
  });
  return view;
}

TEST(Scan, ShortRows) {
  Rng rng(1);
  for (ScanOp op : kOps) {
    for (dtype type : all_dtypes()) {
      for (std::int64_t n : {1, 2, 3, 17, 100}) check(rng, op, random_array(rng, type, {5, n}));
      check(rng, op, tame_array(rng, type, {3, 7, 40}));
      check(rng, op, tame_array(rng, type, {2, 0}));
      check(rng, op, tame_array(rng, type, {0, 2}));
    }
  }
}

TEST(Scan, LongRows) {
  Rng rng(2);
  for (ScanOp op : kOps) {
    for (dtype type : {dtype::float32, dtype::float64, dtype::complex64, dtype::int32, dtype::float16}) {
      check(rng, op, tame_array(rng, type, {70001}));
      check(rng, op, tame_array(rng, type, {2, 20000}));
      check(rng, op, tame_array(rng, type, {9, 9000}));
    }
  }
}

TEST(Scan, Columns) {
  Rng rng(3);
  for (ScanOp op : kOps) {
    for (dtype type : all_dtypes()) {
      Owned in = tame_array(rng, type, {2, 70, 30});
      std::swap(in.shape[1], in.shape[2]);
      std::swap(in.strides[1], in.strides[2]);
      check(rng, op, in);
    }
  }
  for (dtype type : {dtype::float32, dtype::float64, dtype::int64}) {  // both sides contiguous across
    const std::int64_t size = static_cast<std::int64_t>(itemsize(type)),
                       width = type == dtype::int64 ? 530 : 20, n = type == dtype::int64 ? 500 : 9000;
    Owned in = random_layout(rng, type, {width, n}, true), out = in, expected = in;
    fill(in, [&] {
      return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
    });
    for (Owned* v : {&in, &out, &expected}) {
      v->data = v->memory.data();
      v->strides = {size, width * size};
    }
    expected_scan(ScanOp::sum, in, expected);
    with_threads([&](int) {
      cpu::scan(ScanOp::sum, Op::count_, in, out);
      expect_same(out, expected, "columns");
    });
  }
}

// What overflows within a chunk must not where the fold from the beginning does not, and infinities and NaN
// stay.
TEST(Scan, SpecialValuesInLongRows) {
  for (double big : {3e38, __builtin_inf(), __builtin_nan("")}) {
    for (std::int64_t width : {1, 9}) {
      Rng rng(4);
      Owned in = random_layout(rng, dtype::float32, {width, 40000}, true);
      std::int64_t i = 0;
      fill(in, [&] {
        const std::int64_t at = i++ % 40000;
        const double x = at == 10                                    ? -3e38
                         : at == 20000 || at == 20001 || at == 33000 ? big
                         : at == 39000                               ? -big
                                                                     : 1.0;
        return Scalar::of(dtype::float32, static_cast<float>(x));
      });
      check(rng, ScanOp::sum, in);
      std::swap(in.strides[0], in.strides[1]);
      in.strides = {4, 4 * width};  // the same memory as columns
      check(rng, ScanOp::sum, in);
    }
  }
}

TEST(Scan, NeverDecreasesForNonNegative) {
  Rng rng(5);
  const std::int64_t n = 100000;
  Owned in = random_layout(rng, dtype::float32, {n}, true),
        out = random_layout(rng, dtype::float32, {n}, true);
  fill(in, [&] {
    return Scalar::of(dtype::float32, static_cast<float>(std::uniform_real_distribution<>()(rng)));
  });
  cpu::scan(ScanOp::sum, Op::count_, in, out);
  const auto* sums = reinterpret_cast<const float*>(out.data.address());
  EXPECT_TRUE(std::is_sorted(sums, sums + n));
}

TEST(Scan, Generic) {
  Rng rng(6);
  for (Op op : {Op::subtract, Op::divide, Op::logaddexp, Op::fmax}) {
    for (const Dims& shape : {Dims{40}, Dims{600, 7}, Dims{3, 4, 5}}) {
      const Owned in = random_array(rng, dtype::float64, shape),
                  expected = empty_like(rng, dtype::float64, shape);
      reference::scan(ScanOp::generic, op, in, expected);
      with_threads([&](int) {
        const Owned out = empty_like(rng, dtype::float64, shape);
        cpu::scan(ScanOp::generic, op, in, out);
        expect_same(out, expected, info(op).name, Same::any_nan);
      });
    }
  }
}

}  // namespace
}  // namespace cuprum

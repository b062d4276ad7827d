// The reference backend by hand-computed cases: it is what the engine and the CPU backend are tested against.
#include <cmath>

#include "cuprum/error.h"
#include "random_views.h"
#include "runtime/backend.h"
#include "runtime/pool.h"

namespace cuprum {
namespace {

using namespace testing;

constexpr double kNan = __builtin_nan(""), kInf = __builtin_inf();

template <class T>
View view_of(std::vector<T>& values, dtype type, const Dims& shape) {
  View view{reinterpret_cast<std::byte*>(values.data()), type, shape, Dims(shape.size())};
  std::int64_t stride = sizeof(T);
  for (std::size_t d = shape.size(); d-- > 0;) {
    view.strides[d] = stride;
    stride *= shape[d];
  }
  return view;
}

TEST(Reference, Memory) {
  Backend& backend = reference_backend();
  Pool& pool = backend.pool();
  const std::size_t before = pool.stats().used_bytes;
  {
    const Ref<Buffer> buffer = backend.allocate(backend.first_stream(), 1000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data) % 64, 0u);
    EXPECT_EQ(pool.stats().used_bytes, before + 1024);
    pool.set_limit(pool.stats().total_bytes + 500);
    EXPECT_THROW(backend.allocate(backend.first_stream(), 1000), OutOfMemoryError);
    pool.set_limit(0);
    EXPECT_THROW(backend.allocate(backend.first_stream(), ~std::size_t(0) - 10), OutOfMemoryError);
  }
  EXPECT_EQ(pool.stats().used_bytes, before);
}

namespace {

void call(const Primitive& primitive, const std::vector<View>& in, const View& out) {
  reference_backend().call(reference_backend().first_stream(), {primitive, in, {&out, 1}});
}

}  // namespace

TEST(Reference, SortPutsNanLast) {
  std::vector<double> in = {2, kNan, -kInf, 0.0, kInf, -0.0, 1}, out(7);
  std::vector<std::int64_t> order(7);
  call(Sort{}, {view_of(in, dtype::float64, {7})}, view_of(out, dtype::float64, {7}));
  call(Argsort{}, {view_of(in, dtype::float64, {7})}, view_of(order, dtype::int64, {7}));
  EXPECT_EQ(order, (std::vector<std::int64_t>{2, 3, 5, 6, 0, 4, 1}));
  EXPECT_FALSE(std::signbit(out[1]));
  EXPECT_TRUE(std::signbit(out[2]));
  EXPECT_TRUE(std::isnan(out[6]));
}

TEST(Reference, ComplexOrder) {
  std::vector<double> in = {kNan, kNan, kNan, 1, 5, kNan, 1, 2, 1, 1, 0, 9};  // pairs
  std::vector<std::int64_t> order(6);
  View numbers = view_of(in, dtype::complex128, {6});
  numbers.strides = {16};
  call(Argsort{}, {numbers}, view_of(order, dtype::int64, {6}));
  EXPECT_EQ(order, (std::vector<std::int64_t>{5, 4, 3, 2, 1, 0}));
}

TEST(Reference, ScanAndMatmul) {
  std::vector<std::int32_t> a = {1, 2, 3, 4, 5, 6}, sums(6), product(4);
  call(Scan{ScanOp::sum}, {view_of(a, dtype::int32, {2, 3})}, view_of(sums, dtype::int32, {2, 3}));
  EXPECT_EQ(sums, (std::vector<std::int32_t>{1, 3, 6, 4, 9, 15}));
  call(Matmul{}, {view_of(a, dtype::int32, {2, 3}), view_of(a, dtype::int32, {3, 2})},
       view_of(product, dtype::int32, {2, 2}));
  EXPECT_EQ(product, (std::vector<std::int32_t>{22, 28, 49, 64}));
}

/// Reduces a matrix along its second dimension.
Scalar reduce_row(ReduceOp op, std::vector<double> row, dtype out_type, double ddof = 0) {
  Scalar result;
  result.type = out_type;
  const std::int64_t n = static_cast<std::int64_t>(row.size());
  Kernel kernel;
  kernel.shape = {1, n};
  kernel.leaves.push_back({reinterpret_cast<std::byte*>(row.data()), dtype::float64, {0, 8}});
  Reduction r;
  r.op = op;
  r.type = dtype::float64;
  r.out = out_type;
  r.ddof = ddof;
  r.data = reinterpret_cast<std::byte*>(result.bytes);
  r.strides = {0, 0};
  r.src = 0;
  r.arg_weights = {0, 1};
  kernel.reductions.push_back(r);
  kernel.reduced = 2;
  reference_backend().run(reference_backend().first_stream(), kernel);
  return result;
}

double reduced(ReduceOp op, std::vector<double> row, double ddof = 0) {
  return reduce_row(op, std::move(row), dtype::float64, ddof).as<double>();
}
std::int64_t position(ReduceOp op, std::vector<double> row) {
  return reduce_row(op, std::move(row), dtype::int64).as<std::int64_t>();
}

TEST(Reference, Reductions) {
  EXPECT_EQ(reduced(ReduceOp::sum, {1, 2, 3.5}), 6.5);
  EXPECT_EQ(reduced(ReduceOp::prod, {1, 2, 3.5}), 7);
  EXPECT_EQ(reduced(ReduceOp::mean, {1, 2, 6}), 3);
  EXPECT_EQ(reduced(ReduceOp::var, {1, 2, 3, 4}, 1), 5.0 / 3);
  EXPECT_EQ(reduced(ReduceOp::max, {1, 7, 3}), 7);
  EXPECT_TRUE(std::isnan(reduced(ReduceOp::max, {1, kNan, 3})));
  EXPECT_EQ(reduced(ReduceOp::fmax, {1, kNan, 3}), 3);
  EXPECT_EQ(position(ReduceOp::argmax, {1, 7, 7}), 1);
  EXPECT_EQ(position(ReduceOp::argmin, {1, kNan, kNan}), 1);
  EXPECT_EQ(position(ReduceOp::nanargmin, {kNan, 3, 2, 2}), 2);
  EXPECT_EQ(reduced(ReduceOp::sum, {}), 0);
  EXPECT_EQ(reduced(ReduceOp::prod, {}), 1);
  EXPECT_TRUE(std::isnan(reduced(ReduceOp::mean, {})));
}

TEST(Reference, FusedKernelWithStoreAndReduction) {
  std::vector<double> x = {1, 2, 3, 4, 5, 6}, y(6), sums(2);
  Kernel kernel;  // y = x * x + 1; sums = y.sum(axis=1)
  kernel.shape = {2, 3};
  kernel.leaves.push_back({reinterpret_cast<std::byte*>(x.data()), dtype::float64, {24, 8}});
  kernel.scalars.push_back(Scalar::of(dtype::float64, 1.0));
  kernel.code.push_back({Op::multiply, dtype::float64, dtype::float64, 2, {0, 0, 0}});
  kernel.code.push_back({Op::add, dtype::float64, dtype::float64, 2, {2, 1, 0}});
  kernel.stores.push_back({reinterpret_cast<std::byte*>(y.data()), dtype::float64, {24, 8}, 3});
  Reduction r;
  r.op = ReduceOp::sum;
  r.type = r.out = dtype::float64;
  r.data = reinterpret_cast<std::byte*>(sums.data());
  r.strides = {8, 0};
  r.src = 3;
  kernel.reductions.push_back(r);
  kernel.reduced = 2;
  reference_backend().run(reference_backend().first_stream(), kernel);
  EXPECT_EQ(y, (std::vector<double>{2, 5, 10, 17, 26, 37}));
  EXPECT_EQ(sums, (std::vector<double>{17, 80}));
}

}  // namespace
}  // namespace cuprum

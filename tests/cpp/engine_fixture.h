// What the engine's tests are written with: small arrays on a backend, and shorthand for recording.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/layout.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "runtime/far.h"

namespace cuprum::test {

inline Array from_values(Backend& backend, const std::vector<double>& values, Dims shape) {
  Array a = make_array(backend, dtype::float64, shape);
  upload(a, values.data());
  return a;
}

inline Array iota(Backend& backend, Dims shape) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), 0.0);
  return from_values(backend, values, shape);
}

inline std::vector<double> values_of(const Array& a) {
  std::vector<double> values(static_cast<std::size_t>(a.size()));
  copy_to_host(a, values.data());
  return values;
}

inline Dims common_shape(std::span<const Input> inputs) {
  Dims shapes[kMaxInputs];
  int n = 0;
  for (const Input& input : inputs) {
    if (input.array) shapes[n++] = input.array->shape();
  }
  return broadcast_shapes("test", shapes, n);
}

inline Array apply(Op op, std::initializer_list<Input> list) {
  const std::vector<Input> inputs(list);
  return record(op, *find_signature(op, dtype::float64), inputs, common_shape(inputs));
}
inline Scalar number(double v) { return Scalar::of(dtype::float64, v); }

inline Array operator+(const Array& a, const Array& b) { return apply(Op::add, {a, b}); }
inline Array operator-(const Array& a, const Array& b) { return apply(Op::subtract, {a, b}); }
inline Array operator*(const Array& a, const Array& b) { return apply(Op::multiply, {a, b}); }
inline Array operator/(const Array& a, const Array& b) { return apply(Op::divide, {a, b}); }
inline Array operator+(const Array& a, double b) { return apply(Op::add, {a, number(b)}); }
inline Array operator*(const Array& a, double b) { return apply(Op::multiply, {a, number(b)}); }

inline void in_place(Op op, const Array& target, const Input& value) {
  const Input inputs[] = {Input(target), value};
  assign(target, op, *find_signature(op, dtype::float64), inputs);
}

inline Array sum(const Array& a, std::uint64_t axes) {
  return record_reduction({ReduceOp::sum, Op::count_, dtype::float64, dtype::float64, 0}, a, axes);
}

/// a[start:stop:step] of the first axis.
inline Array slice(const Array& a, std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
  Dims shape = a.shape(), strides = a.strides();
  shape[0] = step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step;
  const std::int64_t offset = a.offset() + start * strides[0];
  strides[0] *= step;
  return a.view(shape, strides, offset);
}

inline Array transpose(const Array& a) {
  return a.view(Dims{a.shape()[1], a.shape()[0]}, Dims{a.strides()[1], a.strides()[0]});
}

/// Kernels that ran since construction.
class KernelCount {
 public:
  KernelCount() : before_(engine_stats().kernels) {}
  std::uint64_t operator()() const { return engine_stats().kernels - before_; }

 private:
  std::uint64_t before_;
};

/// The engine's meaning does not depend on the backend: every test here runs on both.
class EngineTest : public testing::TestWithParam<Backend* (*)()> {
 protected:
  Backend& backend() { return *GetParam()(); }
  Array array(const std::vector<double>& values, Dims shape) { return from_values(backend(), values, shape); }
  Array array(const std::vector<double>& values) {
    return from_values(backend(), values, Dims{static_cast<std::int64_t>(values.size())});
  }
  Array range(Dims shape) { return iota(backend(), shape); }
};

}  // namespace cuprum::test

#define CUPRUM_ON_BOTH_BACKENDS(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(Backends, suite,                                                        \
                           testing::Values(                                                        \
                               +[]() -> cuprum::Backend* { return &cuprum::reference_backend(); }, \
                               +[]() -> cuprum::Backend* { return &cuprum::cpu_backend(); },       \
                               +[]() -> cuprum::Backend* { return &cuprum::far_backend(); }),      \
                           [](const auto& instance) { return instance.param()->name(); })

// Shapes and axes from C++: views where strides allow them, copies elsewhere; joining; reductions' shapes.
#include "ops/manipulate.h"

#include "engine_fixture.h"
#include "ops/creation.h"
#include "ops/join.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/sort.h"

using namespace cuprum;
using namespace cuprum::test;
using Values = std::vector<double>;

class Manipulate : public EngineTest {};
CUPRUM_ON_BOTH_BACKENDS(Manipulate);

TEST_P(Manipulate, ReshapeIsAViewWhereStridesAllow) {
  const Array a = range({2, 3, 4});
  EXPECT_EQ(ops::reshape(a, {4, -1}).storage(), a.storage());
  EXPECT_EQ(ops::reshape(a, {4, -1}).shape(), (Dims{4, 6}));
  const Array t = ops::transpose(a);
  const Array copy = ops::reshape(t, {24});
  EXPECT_NE(copy.storage(), a.storage());
  EXPECT_EQ(values_of(copy)[1], 12);
  EXPECT_EQ(ops::reshape(t, {24}, 'F').storage(), a.storage());
  EXPECT_THROW(ops::reshape(t, {24}, 'C', false), ValueError);
  EXPECT_NE(ops::reshape(a, {24}, 'C', true).storage(), a.storage());
}

TEST_P(Manipulate, ReshapeSplitsStridedDimensions) {
  const Array a = slice(range({12, 2}), 0, 12, 2);  // (6, 2) with a step
  const Array v = ops::reshape(a, {2, 3, 2});
  EXPECT_EQ(v.storage(), a.storage());
  EXPECT_EQ(v.strides(), (Dims{96, 32, 8}));
  EXPECT_NE(ops::reshape(a, {12}).storage(), a.storage());
}

TEST_P(Manipulate, ReshapeNamesWhatDoesNotFit) {
  const Array a = range({6});
  EXPECT_THROW(ops::reshape(a, {4}), ValueError);
  EXPECT_THROW(ops::reshape(a, {-1, -1}), ValueError);
  EXPECT_THROW(ops::reshape(a, {-1, 4}), ValueError);
  EXPECT_THROW(ops::reshape(a, {std::int64_t{1} << 40, std::int64_t{1} << 40}), ValueError);
  EXPECT_EQ(ops::reshape(range({0, 3}), {-1, 3}).shape(), (Dims{0, 3}));
}

TEST_P(Manipulate, AxesMove) {
  const Array a = range({2, 3, 4});
  EXPECT_EQ(ops::moveaxis(a, {0}, {-1}).shape(), (Dims{3, 4, 2}));
  EXPECT_EQ(ops::transpose(a, {2, 0, 1}).shape(), (Dims{4, 2, 3}));
  EXPECT_EQ(ops::expand_dims(a, {0, -1}).shape(), (Dims{1, 2, 3, 4, 1}));
  EXPECT_EQ(ops::squeeze(ops::expand_dims(a, {1})).shape(), a.shape());
  EXPECT_THROW(ops::transpose(a, {0, 0, 1}), ValueError);
  EXPECT_THROW(ops::swapaxes(a, 0, 3), AxisError);
  EXPECT_THROW(ops::squeeze(a, Dims{0}), ValueError);
}

TEST_P(Manipulate, BroadcastAndDiagonalAreReadOnly) {
  const Array a = range({2, 3});
  EXPECT_FALSE(ops::broadcast_to(a, {4, 2, 3}).writeable());
  EXPECT_FALSE(ops::diagonal(a).writeable());
  EXPECT_EQ(values_of(ops::diagonal(a, 1)), (Values{1, 5}));
  EXPECT_EQ(ops::diagonal(a, 9).size(), 0);
  EXPECT_THROW(ops::broadcast_to(a, {2, 4}), ValueError);
}

TEST_P(Manipulate, FlipRollRepeatTile) {
  const Array a = range({2, 3});
  EXPECT_EQ(values_of(ops::flip(a, Dims{1})), (Values{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values_of(ops::roll(a, {1, 1}, Dims{0, 1})), (Values{5, 3, 4, 2, 0, 1}));
  EXPECT_EQ(values_of(ops::roll(a, {-1})), (Values{1, 2, 3, 4, 5, 0}));
  EXPECT_EQ(values_of(ops::repeat(a, {1, 0, 2}, 1)), (Values{0, 2, 2, 3, 5, 5}));
  EXPECT_EQ(values_of(ops::repeat(ops::diagonal(a), {2})), (Values{0, 0, 4, 4}));
  EXPECT_EQ(values_of(ops::tile(array({1, 2}), {2, 2})), (Values{1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(values_of(ops::resize(array({1, 2, 3}), {2, 2})), (Values{1, 2, 3, 1}));
}

TEST_P(Manipulate, ViewAsAnotherDtype) {
  const Array a = range({2, 4});
  EXPECT_EQ(ops::view_as(a, dtype::int32).shape(), (Dims{2, 8}));
  EXPECT_EQ(ops::view_as(a, dtype::complex128).shape(), (Dims{2, 2}));
  EXPECT_THROW(ops::view_as(ops::transpose(a), dtype::int32), ValueError);
  EXPECT_THROW(ops::view_as(ops::empty({3}, dtype::int8, 'C', backend()), dtype::int16), ValueError);
}

TEST_P(Manipulate, ConcatenateComputesIntoThePlace) {
  const Array a = range({2, 2});
  const Array parts[] = {a + 1.0, a * 2.0};
  const Array joined = ops::concatenate(parts, 1);
  EXPECT_EQ(values_of(joined), (Values{1, 2, 0, 2, 3, 4, 4, 6}));
  const Array odd[] = {a, range({3})};
  EXPECT_THROW(ops::concatenate(odd), ValueError);
  EXPECT_EQ(ops::stack(parts, -1).shape(), (Dims{2, 2, 2}));
}

TEST_P(Manipulate, ReductionsKeepOrDropAxes) {
  const Array a = range({2, 3, 4});
  ops::ReduceArgs args;
  args.axes = Dims{0, -1};
  EXPECT_EQ(ops::sum(a, args).shape(), (Dims{3}));
  args.keepdims = true;
  EXPECT_EQ(ops::sum(a, args).shape(), (Dims{1, 3, 1}));
  EXPECT_TRUE(ops::mean(a).is_value());
  EXPECT_EQ(values_of(ops::mean(a)), (Values{11.5}));
  args.axes = Dims{0, 0};
  EXPECT_THROW(ops::sum(a, args), ValueError);
  EXPECT_THROW(ops::max(range({0})), ValueError);
  EXPECT_EQ(values_of(ops::sum(range({0}))), (Values{0}));
}

TEST_P(Manipulate, SortAndProductsOfViews) {
  const Array a = ops::flip(range({3, 2}));
  EXPECT_EQ(values_of(ops::sort(a, 0)), (Values{1, 0, 3, 2, 5, 4}));
  EXPECT_EQ(values_of(ops::sort(a, std::nullopt)), (Values{0, 1, 2, 3, 4, 5}));
  const Array b = range({2, 3});
  EXPECT_EQ(values_of(ops::matmul(b, ops::transpose(b))), (Values{5, 14, 14, 50}));
  EXPECT_THROW(ops::matmul(b, b), ValueError);
  EXPECT_EQ(values_of(ops::tensordot(b, b, 2)), (Values{55}));
}

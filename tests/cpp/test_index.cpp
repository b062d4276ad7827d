// Indexing from C++: what is a view, what is a value, the rule for mixed indices, and NumPy's texts.
#include "ops/index.h"

#include <array>
#include <string>

#include "engine_fixture.h"
#include "ops/index_advanced.h"
#include "ops/index_mask.h"
#include "ops/manipulate.h"
#include "ops/support.h"

using namespace cuprum;
using namespace cuprum::test;
using ops::IndexItem;
using Values = std::vector<double>;

class Index : public EngineTest {
 protected:
  Array integers(const std::vector<std::int64_t>& values) { return ops::from_integers(values, backend()); }
  Array mask(const Array& a, double above) {
    const Input inputs[] = {a, number(above)};
    return record(Op::greater, *find_signature(Op::greater, dtype::float64), inputs, a.shape());
  }
};
CUPRUM_ON_BOTH_BACKENDS(Index);

template <class E, class F>
std::string text_of(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST_P(Index, SlicesClipAsPythonDoes) {
  struct Case {
    std::int64_t start, stop, step, n, first, count;
  };
  const Case cases[] = {{0, 5, 1, 5, 0, 5},
                        {-3, IndexItem::kEnd, 1, 5, 2, 3},
                        {1, -1, 2, 6, 1, 2},
                        {10, 20, 1, 5, 5, 0},
                        {IndexItem::kEnd, IndexItem::kBegin, -1, 4, 3, 4},
                        {4, 0, -2, 5, 4, 2},
                        {0, 0, 1, 0, 0, 0},
                        {-100, 100, 3, 7, 0, 3}};
  for (const Case& c : cases) {
    const ops::Range r = ops::clip_slice(c.start, c.stop, c.step, c.n);
    EXPECT_EQ(r.count, c.count) << c.start << ":" << c.stop << ":" << c.step << " of " << c.n;
    EXPECT_TRUE(c.count == 0 || r.start == c.first);
  }
  EXPECT_EQ(text_of<ValueError>([] { ops::clip_slice(0, 1, 0, 3); }), "slice step cannot be zero");
}

TEST_P(Index, BasicIndexIsAView) {
  const Array a = range({3, 4});
  const std::array index = {IndexItem::range(2, IndexItem::kBegin, -1), IndexItem::newaxis(),
                            IndexItem::at(1)};
  const Array v = ops::get_item(a, index);
  EXPECT_EQ(v.storage(), a.storage());
  EXPECT_EQ(v.shape(), (Dims{3, 1}));
  EXPECT_EQ(values_of(v), (Values{9, 5, 1}));
  ops::set_item(a, index, Value::floating(7));
  EXPECT_EQ(values_of(v), (Values{7, 7, 7}));
}

TEST_P(Index, AnElementIsASnapshot) {
  const Array a = array({1, 2});
  const Array t = ops::item_first(a, 0);
  EXPECT_TRUE(t.is_value());
  ops::set_item(a, std::array{IndexItem::at(0)}, ops::item_first(a, 1));
  ops::set_item(a, std::array{IndexItem::at(1)}, t);
  EXPECT_EQ(values_of(a), (Values{2, 1}));
}

TEST_P(Index, SeparatedIndexArraysComeFirst) {
  const Array a = range({3, 4, 5});
  const Array i = integers({0, 2}), j = integers({1, 3});
  const IndexItem all = IndexItem::all(), by_i = IndexItem::by(i), by_j = IndexItem::by(j);
  EXPECT_EQ(ops::get_item(a, std::array{all, by_i, by_j}).shape(), (Dims{3, 2}));
  EXPECT_EQ(ops::get_item(a, std::array{by_i, all, by_j}).shape(), (Dims{2, 4}));
  EXPECT_EQ(ops::get_item(a, std::array{IndexItem::at(0), all, by_j}).shape(), (Dims{2, 4}));
  EXPECT_EQ(ops::get_item(a, std::array{all, IndexItem::at(0), by_j}).shape(), (Dims{3, 2}));
  EXPECT_EQ(values_of(ops::get_item(a, std::array{by_i, IndexItem::at(1), by_j})), (Values{6, 48}));
}

TEST_P(Index, MasksSelectAndAssign) {
  const Array a = range({2, 3});
  EXPECT_EQ(values_of(ops::select(a, mask(a, 2))), (Values{3, 4, 5}));
  ops::masked_fill(a, mask(a, 3), array({10, 20}));
  EXPECT_EQ(values_of(a), (Values{0, 1, 2, 3, 10, 20}));
  ops::masked_fill(a, mask(a, 5), Value::integer(0));
  EXPECT_EQ(values_of(a), (Values{0, 1, 2, 3, 0, 0}));
}

TEST_P(Index, MaskedScalarStaysPending) {
  const Array a = range({8}), m = mask(a, 3);
  KernelCount kernels;
  ops::masked_fill(a, m, Value::integer(0));
  EXPECT_EQ(kernels(), 0u);
  EXPECT_EQ(values_of(a), (Values{0, 1, 2, 3, 0, 0, 0, 0}));
}

TEST_P(Index, ScatterReadsItsOperandsFirst) {
  const Array a = range({4});
  const Array reversed = ops::flip(a);
  const Array i = integers({0, 1, 2, 3});
  ops::set_item(a, std::array{IndexItem::by(i)}, reversed);
  EXPECT_EQ(values_of(a), (Values{3, 2, 1, 0}));
}

TEST_P(Index, RepeatedIndicesAccumulate) {
  const Array a = array({0, 0, 0}), i = integers({0, 0, 2});
  const Value one = Value::integer(1);
  ops::fold_at(a, std::array{IndexItem::by(i)}, Op::add, &one);
  EXPECT_EQ(values_of(a), (Values{2, 0, 1}));
  ops::fold_at(a, std::array{IndexItem::by(i)}, Op::negative, nullptr);
  EXPECT_EQ(values_of(a), (Values{2, 0, -1}));
}

TEST_P(Index, TextsAreNumPys) {
  const Array a = range({3, 4});
  const Array far = integers({0, 7}), three = integers({0, 1, 2}), two = integers({0, 1});
  auto get = [&](std::initializer_list<IndexItem> items) {
    return text_of<IndexError>([&] { ops::get_item(a, {items.begin(), items.size()}); });
  };
  EXPECT_EQ(get({IndexItem::at(3)}), "index 3 is out of bounds for axis 0 with size 3");
  EXPECT_EQ(get({IndexItem::all(), IndexItem::at(-5)}), "index -5 is out of bounds for axis 1 with size 4");
  EXPECT_EQ(get({IndexItem::all(), IndexItem::by(far)}), "index 7 is out of bounds for axis 1 with size 4");
  EXPECT_EQ(get({IndexItem::at(0), IndexItem::at(0), IndexItem::at(0)}),
            "too many indices for array: array is 2-dimensional, but 3 were indexed");
  EXPECT_EQ(get({IndexItem::by(two), IndexItem::by(three)}),
            "shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,) ");
  EXPECT_EQ(get({IndexItem::by(a)}), "arrays used as indices must be of integer (or boolean) type");
  const Array long_mask = mask(range({4}), 1);
  EXPECT_EQ(
      get({IndexItem::by(long_mask)}),
      "boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding "
      "boolean axis is 4");
  const Array row = array({1, 2, 3});
  EXPECT_EQ(text_of<ValueError>([&] { ops::set_item(a, std::array{IndexItem::at(0)}, row); }),
            "could not broadcast input array from shape (3,) into shape (4,)");
  const Array frozen = ops::broadcast_to(row, Dims{2, 3});
  EXPECT_EQ(text_of<ValueError>([&] { ops::set_item(frozen, std::array{IndexItem::at(0)}, row); }),
            "assignment destination is read-only");
}

TEST_P(Index, AFailedScatterWritesNothing) {
  const Array a = array({1, 2, 3}), i = integers({0, 9});
  set_debugging(true);  // found by the call, on every device
  EXPECT_THROW(ops::set_item(a, std::array{IndexItem::by(i)}, Value::integer(0)), IndexError);
  set_debugging(false);
  EXPECT_EQ(values_of(a), (Values{1, 2, 3}));
}

TEST_P(Index, ADeviceTellsOfBadIndicesWhenItIsWaitedFor) {
  const Array a = array({1, 2, 3}), i = record_copy(integers({0, 9}), dtype::int64);
  EXPECT_THROW(
      {
        const Array got = ops::get_item(a, std::array{IndexItem::by(i)});
        evaluate({&got, 1});
        backend().synchronize();
      },
      IndexError);
  backend().synchronize();  // once
}

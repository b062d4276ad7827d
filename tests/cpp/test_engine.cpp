// The lazy engine: what fuses, what is stored, and that writes keep NumPy's meaning.
#include <cmath>

#include "engine_fixture.h"
#include "runtime/pool.h"

using namespace cuprum;
using namespace cuprum::test;
using Values = std::vector<double>;

class Engine : public EngineTest {};
CUPRUM_ON_BOTH_BACKENDS(Engine);

TEST_P(Engine, NothingRunsUntilBytesAreNeeded) {
  KernelCount kernels;
  const Array a = array({1, 2, 3}), b = array({10, 20, 30});
  const Array c = (a + b) * 2.0;
  EXPECT_TRUE(is_pending(c));
  EXPECT_EQ(kernels(), 0u);
  EXPECT_EQ(values_of(c), (Values{22, 44, 66}));
  EXPECT_EQ(kernels(), 1u);
  EXPECT_FALSE(is_pending(c));
}

TEST(EngineNumbers, HaveNoMemoryUntilSomebodyAsks) {
  const Array a = iota(cpu_backend(), {4});
  const std::size_t before = cpu_backend().pool().stats().allocations;
  KernelCount kernels;
  const Array x = copy_of_element(a, 3 * 8), y = (x + 1.0) * x;
  EXPECT_TRUE(x.is_number());
  EXPECT_TRUE(y.is_number());
  EXPECT_EQ(values_of(y), Values{12});
  EXPECT_EQ(cpu_backend().pool().stats().allocations, before);
  const Array z = a * y;  // a scalar of the kernel
  EXPECT_TRUE(y.is_number());
  EXPECT_EQ(values_of(z), (Values{0, 12, 24, 36}));
  EXPECT_EQ(kernels(), 1u);
  const Array second = y;  // a second name of one storage
  EXPECT_FALSE(y.is_number());
  EXPECT_EQ(second.storage(), y.storage());
  in_place(Op::add, y, number(1));
  EXPECT_EQ(values_of(second), Values{13});
}

TEST(EngineNumbers, AreSnapshots) {
  const Array a = iota(cpu_backend(), {4});
  const Array x = copy_of_element(a, 8);
  assign(slice(a, 1, 2), Input(number(7)));
  EXPECT_EQ(values_of(x), Values{1});
  Array moved = copy_of_element(a, 8);
  const Array there = std::move(moved);
  EXPECT_TRUE(there.is_number());
  EXPECT_FALSE(moved);  // NOLINT(bugprone-use-after-move): a moved number is none
}

TEST_P(Engine, AViewStoredInItselfIsLeftAlone) {
  const Array a = range({6});
  const Array part = slice(a, 1, 4);
  in_place(Op::multiply, part, number(2));
  KernelCount kernels;
  assign(part, Input(slice(a, 1, 4)));
  EXPECT_EQ(kernels(), 0u);
  EXPECT_EQ(values_of(a), (Values{0, 2, 4, 6, 4, 5}));
}

TEST_P(Engine, LivingIntermediateIsAnExtraOutputOfTheSameKernel) {
  const Array a = array({1, 2, 3});
  const Array t = a + 1.0;
  const Array u = t * t;
  KernelCount kernels;
  evaluate({&u, 1});
  EXPECT_EQ(kernels(), 1u);
  EXPECT_FALSE(is_pending(t));
  EXPECT_EQ(values_of(t), (Values{2, 3, 4}));
  EXPECT_EQ(values_of(u), (Values{4, 9, 16}));
}

TEST_P(Engine, DeadIntermediateNeverTouchesMemory) {
  const Array a = range({1000});
  Array u = ((a + 1.0) * (a + 2.0)) / (a + 3.0);
  const std::size_t before = backend().pool().stats().allocations;
  evaluate({&u, 1});
  EXPECT_EQ(backend().pool().stats().allocations - before, 1u);
}

TEST_P(Engine, EqualSubexpressionsAreComputedOnce) {
  const Array a = range({8});
  const Array u = apply(Op::exp, {a + 1.0}) * apply(Op::exp, {a + 1.0});
  EXPECT_NE(graph_text({&u, 1}).find("computes 3,"), std::string::npos) << graph_text({&u, 1});
}

TEST_P(Engine, BroadcastsScalarsRowsAndColumns) {
  const Array m = range({2, 3}), row = array({10, 20, 30}), column = array({100, 200}, {2, 1});
  EXPECT_EQ(values_of(m + row + column), (Values{110, 121, 132, 213, 224, 235}));
}

TEST_P(Engine, InPlaceChainIsOneKernelAndKeepsItsBuffer) {
  const Array a = range({100});
  const std::byte* data = readable(a).data;
  KernelCount kernels;
  in_place(Op::multiply, a, number(2));
  in_place(Op::add, a, number(5));
  EXPECT_EQ(kernels(), 0u);
  EXPECT_EQ(readable(a).data, data);
  EXPECT_EQ(kernels(), 1u);
  EXPECT_EQ(values_of(a)[7], 19);
}

TEST_P(Engine, PendingReaderKeepsWhatItSaw) {
  const Array a = array({1, 2, 3});
  const Array b = a * 10.0;
  in_place(Op::add, a, number(1));
  EXPECT_EQ(values_of(a), (Values{2, 3, 4}));
  EXPECT_EQ(values_of(b), (Values{10, 20, 30}));
}

TEST_P(Engine, ReuseOfABufferSparesPendingReadersOutsideTheEvaluation) {
  const Array a = array({1, 2, 3});
  const Array b = a * 10.0;
  const Array c = sum(a, 1);
  in_place(Op::add, a, number(1));
  in_place(Op::multiply, a, a);
  EXPECT_EQ(values_of(a), (Values{4, 9, 16}));
  EXPECT_EQ(values_of(b), (Values{10, 20, 30}));
  EXPECT_EQ(values_of(c), (Values{6}));
}

TEST_P(Engine, WriteToAPartEvaluatesPendingReadersFirst) {
  const Array a = array({1, 2, 3, 4});
  const Array b = a * 10.0;
  assign(slice(a, 1, 3), number(0));
  EXPECT_FALSE(is_pending(b));
  EXPECT_EQ(values_of(a), (Values{1, 0, 0, 4}));
  EXPECT_EQ(values_of(b), (Values{10, 20, 30, 40}));
}

TEST_P(Engine, WriteToAPartReachesThroughDeadNodes) {
  const Array a = array({1, 2, 3, 4});
  const Array b = apply(Op::sqrt, {a * a});
  assign(slice(a, 0, 4, 2), number(-1));
  EXPECT_EQ(values_of(b), (Values{1, 2, 3, 4}));
}

TEST_P(Engine, ViewsSeeWrites) {
  const Array a = array({1, 2, 3, 4});
  const Array v = slice(a, 1, 4, 2);
  in_place(Op::multiply, a, number(3));
  EXPECT_EQ(values_of(v), (Values{6, 12}));
  in_place(Op::add, v, number(100));
  EXPECT_EQ(values_of(a), (Values{3, 106, 9, 112}));
}

TEST_P(Engine, ViewOfPendingArrayDoesNotForceIt) {
  const Array a = range({2, 3});
  const Array t = transpose(a + 1.0);
  EXPECT_TRUE(is_pending(t));
  EXPECT_EQ(values_of(t), (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(values_of(transpose(a * 2.0) + 1.0), (Values{1, 7, 3, 9, 5, 11}));
}

TEST_P(Engine, OverlappingReadAndWriteGoThroughATemporary) {
  const Array a = array({1, 2, 3, 4});
  in_place(Op::add, slice(a, 1, 4), slice(a, 0, 3));
  EXPECT_EQ(values_of(a), (Values{1, 3, 5, 7}));
  const Array b = array({1, 2, 3, 4});
  assign(b, Input(slice(b, 3, -1, -1)));
  EXPECT_EQ(values_of(b), (Values{4, 3, 2, 1}));
}

TEST_P(Engine, InPlaceWithTheTransposeOfItself) {
  const Array a = range({2, 2});
  in_place(Op::add, a, transpose(a));
  EXPECT_EQ(values_of(a), (Values{0, 3, 3, 6}));
}

TEST_P(Engine, ReductionFusesItsPrologue) {
  const Array x = range({50, 4}), y = range({50, 4}) * 0.5;
  evaluate({&y, 1});
  KernelCount kernels;
  const Array d = x - y;
  const Array s = sum(d * d, 3);
  EXPECT_EQ(values_of(s)[0], 0.25 * 199 * 200 * 399 / 6);
  EXPECT_EQ(kernels(), 1u);
}

TEST_P(Engine, ReductionsOverTheSameDataShareOnePass) {
  const Array x = range({10, 4});
  const Array s = sum(x, 1),
              m = record_reduction({ReduceOp::max, Op::count_, dtype::float64, dtype::float64, 0}, x, 1);
  KernelCount kernels;
  const Array both[] = {s, m};
  evaluate(both);
  EXPECT_EQ(kernels(), 1u);
  EXPECT_EQ(values_of(s), (Values{180, 190, 200, 210}));
  EXPECT_EQ(values_of(m), (Values{36, 37, 38, 39}));
}

TEST_P(Engine, ReductionAndItsStoredOperandShareOnePass) {
  const Array x = range({6, 5});
  const Array e = x * x;
  const Array s = sum(e, 2);
  KernelCount kernels;
  evaluate({&s, 1});
  EXPECT_EQ(kernels(), 1u);
  EXPECT_FALSE(is_pending(e));
  EXPECT_EQ(values_of(e)[7], 49);
  EXPECT_EQ(values_of(s)[1], 25 + 36 + 49 + 64 + 81);
}

TEST_P(Engine, ResultOfAReductionBroadcastsBack) {
  const Array x = range({3, 4});
  const Array s = sum(x, 2);
  const Array mean = s.view(Dims{3, 1}, Dims{s.strides()[0], 0}) * 0.25;
  EXPECT_EQ(values_of(x - mean), (Values{-1.5, -.5, .5, 1.5, -1.5, -.5, .5, 1.5, -1.5, -.5, .5, 1.5}));
}

TEST_P(Engine, EpilogueOfAReductionJoinsItsKernel) {
  const int columns = 400;  // a CPU takes few elements stage by stage
  const Array x = range({3, columns});
  const Array s = sum(x * x, 2);
  const Array norm = apply(Op::sqrt, {s}), twice = norm * 2.0;
  KernelCount kernels;
  const Array wanted[] = {norm, twice};
  evaluate(wanted);
  EXPECT_EQ(kernels(), 1u);
  EXPECT_FALSE(is_pending(s));
  Values squares(3, 0.0);  // whole numbers: exact in any order
  for (int i = 0; i < 3 * columns; ++i) squares[i / columns] += static_cast<double>(i) * i;
  EXPECT_EQ(values_of(s), squares);
  EXPECT_EQ(values_of(norm)[0], std::sqrt(squares[0]));
  EXPECT_EQ(values_of(twice)[2], 2 * std::sqrt(squares[2]));
}

TEST_P(Engine, EmptyAndZeroDimensionalArrays) {
  const Array none = range({0, 3});
  EXPECT_EQ(values_of(none + 1.0), Values{});
  EXPECT_EQ(values_of(sum(none, 1)), (Values{0, 0, 0}));
  const Array point = array({7}, {});
  EXPECT_EQ(values_of(point * 2.0), (Values{14}));
  EXPECT_EQ(values_of(sum(point, 0)), (Values{7}));
  EXPECT_EQ(values_of(sum(array({7}, {1, 1}), 3)), (Values{7}));
}

TEST_P(Engine, ResultsHaveTheLayoutOfKOrder) {
  const Array f = transpose(range({3, 2}));
  const Array r = f * 2.0;
  EXPECT_TRUE(r.f_contiguous());
  EXPECT_EQ(values_of(r), (Values{0, 4, 8, 2, 6, 10}));
  EXPECT_TRUE((f + range({2, 3})).c_contiguous());  // C order wins conflicts
}

TEST_P(Engine, LongGraphsAreEvaluatedInPieces) {
  Array a = array({0, 1});
  for (int i = 0; i < 10000; ++i) a = a + 1.0;
  EXPECT_EQ(values_of(a), (Values{10000, 10001}));
}

TEST_P(Engine, SharedPartsCountOnceAgainstTheLimit) {
  Array x = range({4});
  for (int i = 0; i < 40; ++i) x = x + x;  // 2^40 paths, 40 nodes
  EXPECT_TRUE(is_pending(x));
  EXPECT_EQ(values_of(x)[1], std::ldexp(1.0, 40));
}

TEST_P(Engine, ForgettingALongChainDoesNotRecurse) {
  const std::uint32_t limit = engine_options().max_nodes;
  engine_options().max_nodes = 1u << 30;
  {
    Array a = array({0, 1});
    for (int i = 0; i < 200000; ++i) a = a + 1.0;
    EXPECT_TRUE(is_pending(a));
  }
  engine_options().max_nodes = limit;
}

TEST_P(Engine, BytesPinnedByPendingGraphsAreBounded) {
  const std::size_t limit = engine_options().max_pinned;
  engine_options().max_pinned = 100000;
  Array total = range({1000});
  for (int i = 0; i < 100; ++i) {
    Array temporary = range({1000});
    in_place(Op::add, total, temporary);
  }
  EXPECT_LE(engine_stats().pinned_bytes, 100000 + 8000);
  engine_options().max_pinned = limit;
  EXPECT_EQ(values_of(total)[2], 202);
  EXPECT_EQ(engine_stats().pinned_bytes, 0);
}

TEST_P(Engine, EagerAndLazyGiveTheSameBits) {
  auto program = [&] {
    Array x = range({37, 29}) * 0.1;
    Array s = sum(apply(Op::sin, {x}) * transpose(range({29, 37})), 3);
    Array t = sum(apply(Op::exp, {slice(x, 0, 37, 2) * -0.01}), 1);
    Values out = values_of(s), more = values_of(t);
    out.insert(out.end(), more.begin(), more.end());
    return out;
  };
  const Values lazy = program();
  engine_options().eager = true;
  const Values eager = program();
  engine_options().eager = false;
  EXPECT_EQ(lazy, eager);
}

TEST_P(Engine, ReadOnlyArraysRefuseWrites) {
  Array a = range({3});
  a.set_writeable(false);
  EXPECT_THROW(assign(a, number(1)), ValueError);
  EXPECT_THROW(writable(a), ValueError);
}

TEST_P(Engine, ExportedMemoryIsWrittenInPlace) {
  const Array a = range({3});
  const std::byte* data = export_pointer(a);
  in_place(Op::add, a, number(1));
  EXPECT_EQ(readable(a).data, data);
  if (backend().host_accessible()) {
    EXPECT_EQ(reinterpret_cast<const double*>(data)[2], 3);
  }
}

TEST_P(Engine, ReadersOfExportedMemoryDoNotWait) {
  const Array a = range({3});
  export_pointer(a);
  const Array b = a + 1.0;
  EXPECT_FALSE(is_pending(b));
  EXPECT_TRUE(is_pending(b + 1.0));
}

TEST_P(Engine, FailedAllocationLeavesEverythingIntact) {
  constexpr std::int64_t kMany = 1 << 22;  // more than the pool asks the device for at a time
  const Array a = range({kMany});
  const Array b = a + 1.0;
  backend().pool().free_all_blocks();
  backend().pool().set_limit(backend().pool().stats().total_bytes + 100);
  EXPECT_THROW(evaluate({&b, 1}), OutOfMemoryError);
  backend().pool().set_limit(0);
  EXPECT_EQ(values_of(b)[kMany - 1], kMany);
}

TEST_P(Engine, TextAndPictureOfTheGraph) {
  const Array a = range({400});
  const Array b = sum(a * a, 1);
  const std::string text = graph_text({&b, 1});
  EXPECT_NE(text.find("multiply(a, a) float64 (400,)"), std::string::npos) << text;
  EXPECT_NE(text.find("1 kernel"), std::string::npos) << text;
  EXPECT_EQ(graph_svg({&b, 1}).rfind("<svg", 0), 0u);
}

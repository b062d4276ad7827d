// Sorting values: many rows side by side by a sorting network, short rows by ranks, long ones by radix sort
// of their keys. (1e7 float32 in rows of 2500: 2.5 ns per element and thread; by radix sort 8 ns.)
//
// The keys of integers turn back into the values. Those of floats nearly do: equal values with different bits
// (zeros of both signs, NaN) come out in some order, and are written once more in the order in which they
// stand in the input.
#include "backend/cpu/sort.h"

#include <optional>

#include "backend/cpu/backend.h"
#include "backend/cpu/radix.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/keys.h"
#include "backend/cpu/sort_key.h"
#include "backend/cpu/sort_order.h"
#include "backend/cpu/sort_rows.h"

namespace cuprum::cpu {

namespace {

template <class K>
void sort_short(RowRef in, RowRef out, int n) {
  using U = typename K::Bits;
  KeyWord<K> keys[kShortRow<U>], places[kShortRow<U>];
  for (int i = 0; i < n; ++i) keys[i] = K::canonical(in.load<U>(i));
  ranks(keys, n, places);
  for (int i = 0; i < n; ++i) out.store(places[i], in.load<U>(i));
}

template <class K>
void encode(RowRef in, typename K::Bits* keys, std::int64_t begin, std::int64_t end) {
  using U = typename K::Bits;
  if (sizeof(U) >= 4 && in.is_array_of<U>()) {
    CUPRUM_CALL_LEVEL(encode_keys(K::kType, end - begin, in.data + begin * sizeof(U), keys + begin));
  } else {
    for (std::int64_t i = begin; i < end; ++i) keys[i] = K::encode(in.load<U>(i));
  }
}

template <class K>
void decode(const typename K::Bits* keys, RowRef out, std::int64_t begin, std::int64_t end) {
  using U = typename K::Bits;
  if (sizeof(U) >= 4 && out.is_array_of<U>()) {
    CUPRUM_CALL_LEVEL(decode_keys(K::kType, end - begin, keys + begin, out.data + begin * sizeof(U)));
  } else {
    for (std::int64_t i = begin; i < end; ++i) out.store(i, K::decode(keys[i]));
  }
}

/// Writes the elements of `in` that `test` accepts to the places [begin, end), in their order.
template <class U, class Test>
void rewrite(RowRef in, RowRef out, std::int64_t begin, std::int64_t end, Test&& test) {
  for (std::int64_t i = 0; begin < end; ++i) {
    const U x = in.load<U>(i);
    if (test(x)) out.store(begin++, x);
  }
}

/// Where the sorted keys of a row of floats are those of several bit patterns.
template <class K>
struct EqualRanges {
  EqualRanges(const typename K::Bits* sorted, std::int64_t n) : end(n) {
    using U = typename K::Bits;
    nan = std::lower_bound(sorted, sorted + n, K::kNan) - sorted;
    minus_zero = std::lower_bound(sorted, sorted + nan, K::kMinusZero) - sorted;
    plus_zero = std::upper_bound(sorted + minus_zero, sorted + nan, K::kMinusZero) - sorted;
    positive = std::upper_bound(sorted + plus_zero, sorted + nan, static_cast<U>(K::kMinusZero + 1)) - sorted;
  }
  void restore(RowRef in, RowRef out) const {
    using U = typename K::Bits;
    rewrite<U>(in, out, nan, end, [](U x) { return K::is_nan(x); });
    if (minus_zero < plus_zero && plus_zero < positive)
      rewrite<U>(in, out, minus_zero, positive, [](U x) { return K::is_zero(x); });
  }
  std::int64_t minus_zero, plus_zero, positive, nan, end;
};

template <class K>
void sort_long(RowRef in, RowRef out, std::int64_t n, int chunks) {
  using U = typename K::Bits;
  const Scratch<U> second(n);
  std::optional<Scratch<U>> first;
  if (!out.is_array_of<U>()) first.emplace(n);
  U* a = first ? first->data() : reinterpret_cast<U*>(out.data);
  RadixSort<U> radix(n, 0, sizeof(U), chunks);
  const U* sorted =
      radix(a, second.data(), [&](std::int64_t begin, std::int64_t end) { encode<K>(in, a, begin, end); });
  const auto decode_all = [&] {
    radix.each_chunk([&](int, std::int64_t begin, std::int64_t end) { decode<K>(sorted, out, begin, end); });
  };
  if constexpr (K::kFloating) {
    const EqualRanges<K> equal(sorted, n);
    decode_all();
    equal.restore(in, out);
  } else {
    decode_all();
  }
}

template <class K>
struct ValueSorter {
  using U = typename K::Bits;
  static constexpr int kBlock = kNetworkBytes / sizeof(KeyWord<K>);

  static void row(RowRef in, RowRef out, std::int64_t n, int chunks) {
    n <= kShortRow<U> ? sort_short<K>(in, out, static_cast<int>(n)) : sort_long<K>(in, out, n, chunks);
  }

  static bool block(const RowBlock& b) {
    const std::int64_t size = b.n * kBlock;
    const Scratch<KeyWord<K>> keys(size);
    const Scratch<U> values(size);
    load_columns<U, kBlock>(b, values.data());
    // Equal values that are not the same would come out in the order of the network.
    if (CUPRUM_CALL_LEVEL(encode_keys(K::kType, size, values.data(), keys.data()))) return false;
    sort_columns(keys.data(), b.n);
    CUPRUM_CALL_LEVEL(decode_keys(K::kType, size, keys.data(), values.data()));
    store_columns<U, kBlock>(b, values.data());
    return true;
  }
};

}  // namespace

void sort(const View& in, const View& out) {
  if (is_complex(in.type)) return sort_complex(in, out);
  with_key(in.type, [&](auto key) { RowSorter<ValueSorter<decltype(key)>>(in, out).run(); });
}

void call(const Sort&, Operands in, const View& out) { sort(in[0], out); }

}  // namespace cuprum::cpu

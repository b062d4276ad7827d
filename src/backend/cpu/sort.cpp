// Sorting values: rows of elements of 4 and 8 bytes by vectors (sort_vectors.h), where the level of SIMD has that. Else
// many rows side by side by a sorting network, short rows by ranks, long ones by radix sort of their keys. (1e7 float32
// in rows of 2500: 2.5 ns per element and thread; by radix sort 8 ns.)
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
#include "backend/cpu/sort_vectors.h"

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

/// Where a sorted row of floats has values that are equal to others, but not the same.
template <class K>
struct EqualRanges {
  EqualRanges(RowRef sorted, std::int64_t n) : end(n) {
    using U = typename K::Bits;
    // The first place in [begin, end) whose key is not below this one.
    const auto place = [&](std::int64_t begin, std::int64_t end, U key) {
      while (begin < end) {
        const std::int64_t middle = begin + (end - begin) / 2;
        if (K::encode(sorted.load<U>(middle)) < key) {
          begin = middle + 1;
        } else {
          end = middle;
        }
      }
      return begin;
    };
    nan = place(0, n, K::kNan);
    minus_zero = place(0, nan, K::kMinusZero);
    plus_zero = place(minus_zero, nan, static_cast<U>(K::kMinusZero + 1));
    positive = place(plus_zero, nan, static_cast<U>(K::kMinusZero + 2));
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
  decode_all();
  if constexpr (K::kFloating) EqualRanges<K>(out, n).restore(in, out);
}

/// By vectors: what is not an array is copied into one.
template <class K>
void sort_vectors(RowRef in, RowRef out, std::int64_t n, int chunks) {
  using U = typename K::Bits;
  constexpr int kSize = sizeof(U);
  const bool plain_in = in.is_array_of<U>(), plain_out = out.is_array_of<U>();
  std::optional<Scratch<U>> from, to;  // not of no elements: rows may be short
  const auto array = [&](std::optional<Scratch<U>>& memory) {
    return RowRef{reinterpret_cast<std::byte*>(memory.emplace(n).data()), kSize};
  };
  const RowRef values = plain_in ? in : array(from), sorted = plain_out ? out : array(to);
  if (!plain_in) copies().tile(kSize, {1, n, values.data, 0, kSize, in.data, 0, in.step});
  const bool ambiguous = sort_by_vectors(K::kType, n, values.data, sorted.data, chunks);
  if constexpr (K::kFloating) {
    if (ambiguous) EqualRanges<K>(sorted, n).restore(values, sorted);
  }
  if (!plain_out) copies().tile(kSize, {1, n, out.data, 0, out.step, sorted.data, 0, kSize});
}

template <class K>
struct ValueSorter {
  using U = typename K::Bits;
  static constexpr int kBlock = kNetworkBytes / sizeof(KeyWord<K>);

  static void row(RowRef in, RowRef out, std::int64_t n, int chunks) {
    if (sorts_by_vectors(K::kType)) return sort_vectors<K>(in, out, n, chunks);
    n <= kShortRow<U> ? sort_short<K>(in, out, static_cast<int>(n)) : sort_long<K>(in, out, n, chunks);
  }

  static bool block(const RowBlock& b) {
    if (sorts_by_vectors(K::kType)) return sort_turned(b);
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

 private:
  /// Neighbouring columns are turned into rows, and back.
  static bool sort_turned(const RowBlock& b) {
    constexpr int kSize = sizeof(U);
    if (b.in_stride != kSize || b.out_stride != kSize) return false;
    const std::int64_t row_bytes = b.n * kSize;
    const Scratch<U> from(b.n * kBlock), to(b.n * kBlock);
    std::byte *in = reinterpret_cast<std::byte*>(from.data()), *out = reinterpret_cast<std::byte*>(to.data());
    copies().tile(kSize, {b.count, b.n, in, row_bytes, kSize, b.in.data, b.in_stride, b.in.step});
    for (int r = 0; r < b.count; ++r)
      sort_vectors<K>({in + r * row_bytes, kSize}, {out + r * row_bytes, kSize}, b.n, 1);
    copies().tile(kSize, {b.count, b.n, b.out.data, b.out_stride, b.out.step, out, row_bytes, kSize});
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

// The order of values: keys are sorted together with the indices of their elements.
//
// A key of up to 32 bits shares a 64-bit word with its index, so `out` itself is one of the two arrays that
// the radix sort moves between. Longer keys and longer rows take 16 bytes per element, complex128 two sorts:
// by the lower, then by the higher key.
#include <algorithm>
#include <optional>
#include <vector>

#include "backend/cpu/radix.h"

#include "backend/cpu/backend.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/sort.h"
#include "backend/cpu/sort_key.h"
#include "backend/cpu/sort_order.h"
#include "backend/cpu/sort_rows.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMaxShared = std::int64_t(1) << 32;  // longest row whose indices fit 32 bits

/// The i-th element as keys; `write(i, index)` puts an index in its place.
template <class K, class Write>
void order_short(RowRef in, int n, Write&& write) {
  using U = typename K::Bits;
  KeyWord<K> keys[kShortRow<U>], places[kShortRow<U>];
  for (int i = 0; i < n; ++i) keys[i] = K::canonical(in.load<U>(i));
  ranks(keys, n, places);
  for (int i = 0; i < n; ++i) write(places[i], i);
}

template <class K>
void order_shared(RowRef in, RowRef out, std::int64_t n, int chunks) {
  using U = typename K::Bits;
  const Scratch<std::uint64_t> second(n);
  std::optional<Scratch<std::uint64_t>> first;
  if (!out.is_array_of<std::uint64_t>()) first.emplace(n);
  std::uint64_t* a = first ? first->data() : reinterpret_cast<std::uint64_t*>(out.data);
  RadixSort<std::uint64_t> radix(n, 32, sizeof(U), chunks);
  const std::uint64_t* sorted = radix(a, second.data(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      a[i] = static_cast<std::uint64_t>(K::canonical(in.load<U>(i))) << 32 | static_cast<std::uint64_t>(i);
    }
  });
  radix.each_chunk([&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out.store(i, sorted[i] & (kMaxShared - 1));
  });
}

/// Sorts by 64-bit keys. `key(i)` is that of element i; the sorted indices go to write(place, index).
class LongOrder {
 public:
  LongOrder(std::int64_t n, int digits, int chunks) : radix_(n, 0, digits, chunks), a_(n), b_(n) {}

  template <class Key>
  void sort(Key&& key) {
    KeyedItem* a = a_.data();
    sorted_ = radix_(a, b_.data(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) a[i] = {key(i), static_cast<std::uint64_t>(i)};
    });
  }
  template <class Write>
  void write(Write&& write) const {
    radix_.each_chunk([&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) write(i, static_cast<std::int64_t>(sorted_[i].item));
    });
  }

 private:
  RadixSort<KeyedItem> radix_;
  Scratch<KeyedItem> a_, b_;
  const KeyedItem* sorted_ = nullptr;
};

template <class K>
struct OrderSorter {
  using U = typename K::Bits;
  static constexpr bool kShared = sizeof(U) <= 4;
  static constexpr int kBlock = kShared ? kNetworkBytes / sizeof(std::uint64_t) : 0;

  static void row(RowRef in, RowRef out, std::int64_t n, int chunks) {
    const auto write = [&](std::int64_t i, std::int64_t index) { out.store(i, index); };
    if (n <= kShortRow<U>) {
      order_short<K>(in, static_cast<int>(n), write);
    } else if (kShared && n <= kMaxShared) {
      order_shared<K>(in, out, n, chunks);
    } else {
      LongOrder order(n, sizeof(U), chunks);
      order.sort([&](std::int64_t i) { return static_cast<std::uint64_t>(K::canonical(in.load<U>(i))); });
      order.write(write);
    }
  }

  /// Every word is different, because it holds its index: the network need not be stable.
  static bool block(const RowBlock& b) {
    const Scratch<std::uint64_t> words(b.n * kBlock);
    const Scratch<U> values(b.n * kBlock);
    load_columns<U, kBlock>(b, values.data());
    for (std::int64_t i = 0; i < b.n; ++i) {
      for (int r = 0; r < kBlock; ++r) {
        const std::uint64_t key = K::canonical(values.data()[i * kBlock + r]);
        words.data()[i * kBlock + r] = key << 32 | static_cast<std::uint64_t>(i);
      }
    }
    sort_columns(words.data(), b.n);
    for (std::int64_t i = 0; i < b.n * kBlock; ++i) words.data()[i] &= kMaxShared - 1;
    store_columns<std::uint64_t, kBlock>(b, words.data());
    return true;
  }
};

// -- Complex numbers.

template <class K>
typename ComplexKey<K>::Keys complex_keys(RowRef in, std::int64_t i) {
  struct Parts {
    typename K::Bits re, im;
  };
  const Parts x = in.load<Parts>(i);
  return ComplexKey<K>::canonical(x.re, x.im);
}

/// A short row by comparisons, as two radix sorts of 64-bit keys cost 20 us at least.
template <class K, class Write>
void order_compared(RowRef in, std::int64_t n, Write&& write) {
  struct Entry {
    typename ComplexKey<K>::Keys keys;
    std::int64_t index;
  };
  std::vector<Entry> entries(n);
  for (std::int64_t i = 0; i < n; ++i) entries[i] = {complex_keys<K>(in, i), i};
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.keys.high != b.keys.high ? a.keys.high < b.keys.high : a.keys.low < b.keys.low;
  });
  for (std::int64_t i = 0; i < n; ++i) write(i, entries[i].index);
}

template <class Write>
void order_complex64(RowRef in, std::int64_t n, int chunks, Write&& write) {
  LongOrder order(n, 8, chunks);
  order.sort([&](std::int64_t i) {
    const auto keys = complex_keys<Float32Key>(in, i);
    return static_cast<std::uint64_t>(keys.high) << 32 | keys.low;
  });
  order.write(write);
}

template <class Write>
void order_complex128(RowRef in, std::int64_t n, int chunks, Write&& write) {
  const Scratch<std::int64_t> by_low(n);
  LongOrder order(n, 8, chunks);
  order.sort([&](std::int64_t i) { return complex_keys<Float64Key>(in, i).low; });
  order.write([&](std::int64_t i, std::int64_t index) { by_low.data()[i] = index; });
  order.sort([&](std::int64_t i) { return complex_keys<Float64Key>(in, by_low.data()[i]).high; });
  order.write([&](std::int64_t i, std::int64_t position) { write(i, by_low.data()[position]); });
}

template <class Write>
void order_complex_row(dtype type, RowRef in, std::int64_t n, int chunks, Write&& write) {
  constexpr std::int64_t kCompared = 256;
  const bool single = type == dtype::complex64;
  if (n <= kCompared) {
    return single ? order_compared<Float32Key>(in, n, write) : order_compared<Float64Key>(in, n, write);
  }
  single ? order_complex64(in, n, chunks, write) : order_complex128(in, n, chunks, write);
}

template <dtype kType>
struct ComplexValueSorter {
  struct Element {
    unsigned char bytes[itemsize(kType)];
  };
  static constexpr int kBlock = 0;
  static void row(RowRef in, RowRef out, std::int64_t n, int chunks) {
    order_complex_row(kType, in, n, chunks,
                      [&](std::int64_t i, std::int64_t index) { out.store(i, in.load<Element>(index)); });
  }
};

template <dtype kType>
struct ComplexOrderSorter {
  static constexpr int kBlock = 0;
  static void row(RowRef in, RowRef out, std::int64_t n, int chunks) {
    order_complex_row(kType, in, n, chunks, [&](std::int64_t i, std::int64_t index) { out.store(i, index); });
  }
};

}  // namespace

void sort_complex(const View& in, const View& out) {
  in.type == dtype::complex64 ? RowSorter<ComplexValueSorter<dtype::complex64>>(in, out).run()
                              : RowSorter<ComplexValueSorter<dtype::complex128>>(in, out).run();
}

void argsort(const View& in, const View& out) {
  if (in.type == dtype::complex64) return RowSorter<ComplexOrderSorter<dtype::complex64>>(in, out).run();
  if (in.type == dtype::complex128) return RowSorter<ComplexOrderSorter<dtype::complex128>>(in, out).run();
  with_key(in.type, [&](auto key) { RowSorter<OrderSorter<decltype(key)>>(in, out).run(); });
}

void call(const Argsort&, Operands in, const View& out) { argsort(in[0], out); }

}  // namespace cuprum::cpu

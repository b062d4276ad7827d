// Strided copies, see copies.h. Elements are unsigned integers of their size.
//
// A transpose moves squares of elements through registers: log2 rounds of interleaving the first half of the rows with the second
// half turn rows into columns.
#include <utility>

#include "backend/cpu/copies.h"
#include "backend/cpu/simd/register_bytes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
struct u128 {
  u64 lo, hi;
};

template <class T>
T load(const void* p) {
  T v;
  __builtin_memcpy(&v, p, sizeof(T));
  return v;
}
template <class T>
void store(void* p, T v) {
  __builtin_memcpy(p, &v, sizeof(T));
}

const char* at(const void* p, std::int64_t offset) { return static_cast<const char*>(p) + offset; }
char* at(void* p, std::int64_t offset) { return static_cast<char*>(p) + offset; }

// ---- lines

/// to[i] = from[i * Step] in units of T, where Step is a constant: the compiler turns this into shuffles.
template <class T, int Step>
void copy_line_step(std::int64_t n, char* to, const char* from) {
  for (std::int64_t i = 0; i < n; ++i) {
    store<T>(to + i * sizeof(T), load<T>(from + i * Step * static_cast<std::int64_t>(sizeof(T))));
  }
}

template <class T>
void fill_line(std::int64_t n, char* to, T value) {
  for (std::int64_t i = 0; i < n; ++i) store<T>(to + i * sizeof(T), value);
}

constexpr std::int64_t kLine = 64;  // bytes of a line of the cache
// Elements from as many different lines that are asked for while one is copied: a column of 112 x 112 x 80 float64 is multiplied in 14.7 us
// instead of 19.9. (Asking for the lines that are written gains nothing.)
constexpr std::int64_t kAhead = 16;

template <class T>
void copy_line(std::int64_t n, char* to, std::int64_t to_step, const char* from, std::int64_t from_step) {
  constexpr std::int64_t size = sizeof(T);
  if (to_step == size) {
    if (from_step == size) {
      __builtin_memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
      return;
    }
    if (from_step == 0) return fill_line<T>(n, to, load<T>(from));
    if (from_step == -size) return copy_line_step<T, -1>(n, to, from);
    if (from_step == 2 * size) return copy_line_step<T, 2>(n, to, from);
  }
  if (from_step >= kLine || from_step <= -kLine) {
    for (std::int64_t i = 0; i < n; ++i) {
      __builtin_prefetch(from + (i + kAhead) * from_step);
      store<T>(to + i * to_step, load<T>(from + i * from_step));
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) store<T>(to + i * to_step, load<T>(from + i * from_step));
}

/// Rows of at least 16 contiguous bytes on both sides, copied without calls: a tile has many short ones.
void copy_rows(std::int64_t rows, std::int64_t nbytes, char* to, std::int64_t to_row, const char* from,
               std::int64_t from_row) {
  typedef char V16 __attribute__((vector_size(16)));
  typedef char V64 __attribute__((vector_size(64)));
  for (std::int64_t r = 0; r < rows; ++r, to += to_row, from += from_row) {
    std::int64_t i = 0;
    for (; i + 64 <= nbytes; i += 64) {
      V64 v;
      __builtin_memcpy(&v, from + i, 64);
      __builtin_memcpy(to + i, &v, 64);
    }
    for (; i + 16 <= nbytes; i += 16) store<V16>(to + i, load<V16>(from + i));
    if (i < nbytes) store<V16>(to + nbytes - 16, load<V16>(from + nbytes - 16));
  }
}

// ---- squares

/// Squares of `kSide` elements a side, a row in a register.
template <class T, int kSide>
struct Square {
  typedef T Row __attribute__((vector_size(kSide * sizeof(T))));

  /// The elements of two rows by turns: those of their lower halves, or of their upper ones.
  template <int kFirst, std::size_t... k>
  static Row interleave(Row a, Row b, std::index_sequence<k...>) {
    return __builtin_shufflevector(a, b, (kFirst + k / 2 + (k % 2 != 0 ? kSide : 0))...);
  }

  static void transpose(char* to, std::int64_t to_step, const char* from, std::int64_t from_step) {
    constexpr auto all = std::make_index_sequence<kSide>();
    Row rows[kSide], next[kSide];
    for (int i = 0; i < kSide; ++i) rows[i] = load<Row>(from + i * from_step);
#pragma GCC unroll 4
    for (int round = 1; round < kSide; round *= 2) {
#pragma GCC unroll 8
      for (int i = 0; i < kSide / 2; ++i) {
        next[2 * i] = interleave<0>(rows[i], rows[i + kSide / 2], all);
        next[2 * i + 1] = interleave<kSide / 2>(rows[i], rows[i + kSide / 2], all);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kSide; ++i) rows[i] = next[i];
    }
    for (int i = 0; i < kSide; ++i) store<Row>(to + i * to_step, rows[i]);
  }
};

/// Sides of squares: rows of 16 bytes, and of 32 where elements have 4 or 8. (float64 with AVX-512, in turns, ns an element: 2048 x 2048 4.5
/// instead of 6.1, 100,000 x 8 0.9 instead of 1.4, 1001 x 77 1.0 as before. Rows of 64 bytes take 1.3 for the last: where rows begin
/// anywhere, every load meets two cache lines.)
template <class T>
inline constexpr int kSmallSide = 16 / sizeof(T);
template <class T>
inline constexpr int kLargeSide = sizeof(T) < 4 ? kSmallSide<T>
                                                : (kRegisterBytes < 32 ? kRegisterBytes : 32) / sizeof(T);

/// to[i * to_step + j] = from[j * from_step + i] (steps in bytes, i and j in elements) for i < n, j < m, in squares. What does not fill
/// them is left to smaller ones. Goes along at most 8 (16) source rows at a time: rows a multiple of 4 KB apart share their few
/// places in the first-level cache.
template <class T, int kSide>
void transpose_by(std::int64_t n, std::int64_t m, char* to, std::int64_t to_step, const char* from,
                  std::int64_t from_step) {
  constexpr std::int64_t size = sizeof(T), side = kSide, band = side < 8 ? 8 : side;
  if constexpr (kSide == 1) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < m; ++j)
        store<T>(to + i * to_step + j * size, load<T>(from + j * from_step + i * size));
    }
  } else {
    constexpr int next = kSide > kSmallSide<T> ? kSmallSide<T> : 1;
    const std::int64_t whole_n = n / side * side, whole_m = m / side * side;
    const auto rest = [&](std::int64_t i, std::int64_t end_i, std::int64_t j, std::int64_t end_j) {
      if (i < end_i && j < end_j)
        transpose_by<T, next>(end_i - i, end_j - j, to + i * to_step + j * size, to_step,
                              from + j * from_step + i * size, from_step);
    };
    for (std::int64_t begin = 0; begin < whole_m; begin += band) {
      const std::int64_t end = begin + band < whole_m ? begin + band : whole_m;
      for (std::int64_t i = 0; i < whole_n; i += side) {
        for (std::int64_t j = begin; j < end; j += side)
          Square<T, kSide>::transpose(to + i * to_step + j * size, to_step, from + j * from_step + i * size,
                                      from_step);
      }
      rest(whole_n, n, begin, end);
    }
    rest(0, n, whole_m, m);
  }
}

template <class T>
void transpose(std::int64_t n, std::int64_t m, char* to, std::int64_t to_step, const char* from,
               std::int64_t from_step) {
  transpose_by<T, kLargeSide<T>>(n, m, to, to_step, from, from_step);
}

template <>
void transpose<u128>(std::int64_t n, std::int64_t m, char* to, std::int64_t to_step, const char* from,
                     std::int64_t from_step) {
  for (std::int64_t i = 0; i < n; ++i) copy_line<u128>(m, to + i * to_step, 16, from + i * 16, from_step);
}

// ---- tiles

/// Rows of a few elements: the loop over columns is unrolled, the one over rows runs.
template <class T, int Cols>
void copy_narrow(const TileCopy& c) {
  const char* from = at(c.from, 0);
  char* to = at(c.to, 0);
  for (std::int64_t r = 0; r < c.rows; ++r) {
#pragma GCC unroll 8
    for (int k = 0; k < Cols; ++k) store<T>(to + k * c.to_col, load<T>(from + k * c.from_col));
    to += c.to_row;
    from += c.from_row;
  }
}

/// `kBytes` bytes of one value, again and again.
template <int kBytes, class T>
class Piece {
 public:
  explicit Piece(T value) : lanes_(Lanes{} + value) {}
  void store(char* to) const {
    constexpr int part = kBytes < kRegisterBytes ? kBytes : kRegisterBytes;
#pragma GCC unroll 4
    for (int i = 0; i < kBytes; i += part) __builtin_memcpy(to + i, &lanes_, part);
  }

 private:
  static constexpr int kLanes = kBytes < 16 ? 16 : kBytes < kRegisterBytes ? kBytes : kRegisterBytes;
  typedef T Lanes __attribute__((vector_size(kLanes)));
  Lanes lanes_;
};

/// Rows of one to two pieces that repeat a value each: the second store of a row reaches back over the first.
template <int kBytes, class T>
void fill_rows(std::int64_t rows, std::int64_t nbytes, char* to, std::int64_t to_row, const char* from,
               std::int64_t from_row) {
  for (std::int64_t r = 0; r < rows; ++r, to += to_row, from += from_row) {
    const Piece<kBytes, T> piece(load<T>(from));
    piece.store(to);
    piece.store(to + nbytes - kBytes);
  }
}

/// The same for longer rows.
template <class T>
void fill_long_rows(std::int64_t rows, std::int64_t nbytes, char* to, std::int64_t to_row, const char* from,
                    std::int64_t from_row) {
  for (std::int64_t r = 0; r < rows; ++r, to += to_row, from += from_row) {
    const Piece<64, T> piece(load<T>(from));
    for (std::int64_t i = 0; i < nbytes - 64; i += 64) piece.store(to + i);
    piece.store(to + nbytes - 64);
  }
}

/// A value per row, broadcast along it. (AVX-512, in the cache: 1000 rows of 10 float32 take 0.5 us, 2.0 with a loop over the elements
/// of each, 1.2 turned in squares.)
template <class T>
void repeat_along(const TileCopy& c) {
  const std::int64_t nbytes = c.cols * static_cast<std::int64_t>(sizeof(T));
  const auto fill = nbytes < 4     ? fill_rows<2, T>
                    : nbytes < 8   ? fill_rows<4, T>
                    : nbytes < 16  ? fill_rows<8, T>
                    : nbytes < 32  ? fill_rows<16, T>
                    : nbytes < 64  ? fill_rows<32, T>
                    : nbytes < 128 ? fill_rows<64, T>
                                   : fill_long_rows<T>;
  fill(c.rows, nbytes, at(c.to, 0), c.to_row, at(c.from, 0), c.from_row);
}

template <class T>
void copy_tile(const TileCopy& c) {
  constexpr std::int64_t size = sizeof(T);
  if (c.rows > 1 && c.cols > 1) {
    if constexpr (size <= 8) {  // turned in squares, it took a quarter of a softmax of 128 columns
      if (c.to_col == size && c.from_col == 0) return repeat_along<T>(c);
    }
    if (c.to_col == size && c.from_row == size && c.from_col != size) {
      return transpose<T>(c.rows, c.cols, at(c.to, 0), c.to_row, at(c.from, 0), c.from_col);
    }
    if (c.to_row == size && c.from_col == size && c.to_col != size) {
      return transpose<T>(c.cols, c.rows, at(c.to, 0), c.to_col, at(c.from, 0), c.from_row);
    }
    const std::int64_t nbytes = c.cols * size;
    if (c.to_col == size && c.from_col == size && nbytes >= 16 && nbytes <= 1024) {
      return copy_rows(c.rows, nbytes, at(c.to, 0), c.to_row, at(c.from, 0), c.from_row);
    }
    switch (c.cols) {
      case 2: return copy_narrow<T, 2>(c);
      case 3: return copy_narrow<T, 3>(c);
      case 4: return copy_narrow<T, 4>(c);
      default: break;
    }
  }
  if (c.cols == 1) return copy_line<T>(c.rows, at(c.to, 0), c.to_row, at(c.from, 0), c.from_row);
  for (std::int64_t r = 0; r < c.rows; ++r) {
    copy_line<T>(c.cols, at(c.to, r * c.to_row), c.to_col, at(c.from, r * c.from_row), c.from_col);
  }
}

void tile(int itemsize, const TileCopy& copy) {
  switch (itemsize) {
    case 1: return copy_tile<u8>(copy);
    case 2: return copy_tile<u16>(copy);
    case 4: return copy_tile<u32>(copy);
    case 8: return copy_tile<u64>(copy);
    default: return copy_tile<u128>(copy);
  }
}

void fill(int itemsize, std::int64_t n, void* to, const void* value) {
  switch (itemsize) {
    case 1: return fill_line<u8>(n, at(to, 0), load<u8>(value));
    case 2: return fill_line<u16>(n, at(to, 0), load<u16>(value));
    case 4: return fill_line<u32>(n, at(to, 0), load<u32>(value));
    case 8: return fill_line<u64>(n, at(to, 0), load<u64>(value));
    default: return fill_line<u128>(n, at(to, 0), load<u128>(value));
  }
}

#if defined(__x86_64__)
void stream(std::int64_t nbytes, void* to, const void* from) {
  char* t = at(to, 0);
  const char* f = at(from, 0);
  std::int64_t head = static_cast<std::int64_t>(-reinterpret_cast<u64>(t) & 63);
  if (head > nbytes) head = nbytes;
  __builtin_memcpy(t, f, static_cast<std::size_t>(head));
  std::int64_t i = head;
  for (; i + 64 <= nbytes; i += 64) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(t + i), _mm512_loadu_si512(f + i));
#elif defined(__AVX__)
    for (int k = 0; k < 64; k += 32) {
      _mm256_stream_si256(reinterpret_cast<__m256i*>(t + i + k),
                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(f + i + k)));
    }
#else
    for (int k = 0; k < 64; k += 16) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(t + i + k),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(f + i + k)));
    }
#endif
  }
  __builtin_memcpy(t + i, f + i, static_cast<std::size_t>(nbytes - i));
}
void stream_end() { _mm_sfence(); }
#else
void stream(std::int64_t nbytes, void* to, const void* from) {
  __builtin_memcpy(to, from, static_cast<std::size_t>(nbytes));
}
void stream_end() {}
#endif

}  // namespace

const CopyLoops& copy_loops() {
  static constexpr CopyLoops loops = {tile, fill, stream, stream_end};
  return loops;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL

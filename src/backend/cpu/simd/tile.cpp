// Strided copies, see copies.h. Elements are unsigned integers of their size.
//
// A transpose moves squares of 16 / itemsize elements through 128-bit registers: log2 rounds of interleaving the first half
// of the rows with the second half turn rows into columns. (32-bit elements: 8 shuffles per 64 bytes, which is faster
// than memory delivers them.)
#include "backend/cpu/copies.h"

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

template <class T>
struct Square {
  static constexpr int side = 16 / sizeof(T);
  typedef T Row __attribute__((vector_size(16)));
};

template <class T>
struct Interleave;
#define CUPRUM_INTERLEAVE(T, low, high)                                                     \
  template <>                                                                               \
  struct Interleave<T> {                                                                    \
    using Row = Square<T>::Row;                                                             \
    static Row lo(Row a, Row b) { return __builtin_shufflevector(a, b, CUPRUM_LIST low); }  \
    static Row hi(Row a, Row b) { return __builtin_shufflevector(a, b, CUPRUM_LIST high); } \
  };
#define CUPRUM_LIST(...) __VA_ARGS__
CUPRUM_INTERLEAVE(u64, (0, 2), (1, 3))
CUPRUM_INTERLEAVE(u32, (0, 4, 1, 5), (2, 6, 3, 7))
CUPRUM_INTERLEAVE(u16, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
CUPRUM_INTERLEAVE(u8, (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
#undef CUPRUM_LIST
#undef CUPRUM_INTERLEAVE

template <class T>
inline void transpose_square(char* to, std::int64_t to_step, const char* from, std::int64_t from_step) {
  constexpr int side = Square<T>::side;
  using Row = typename Square<T>::Row;
  Row rows[side], next[side];
  for (int i = 0; i < side; ++i) rows[i] = load<Row>(from + i * from_step);
#pragma GCC unroll 4
  for (int round = 1; round < side; round *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < side / 2; ++i) {
      next[2 * i] = Interleave<T>::lo(rows[i], rows[i + side / 2]);
      next[2 * i + 1] = Interleave<T>::hi(rows[i], rows[i + side / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i) rows[i] = next[i];
  }
  for (int i = 0; i < side; ++i) store<Row>(to + i * to_step, rows[i]);
}

/// to[i * to_step + j] = from[j * from_step + i] (steps in bytes, i and j in elements) for i < n, j < m. Goes along at
/// most 8 (16) source rows at a time: rows a multiple of 4 KB apart share their few places in the first-level cache.
template <class T>
void transpose(std::int64_t n, std::int64_t m, char* to, std::int64_t to_step, const char* from,
               std::int64_t from_step) {
  constexpr std::int64_t side = Square<T>::side;
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t band = side < 8 ? 8 : side;
  const auto move_one = [&](std::int64_t i, std::int64_t j) {
    store<T>(to + i * to_step + j * size, load<T>(from + j * from_step + i * size));
  };
  const std::int64_t whole_n = n / side * side, whole_m = m / side * side;
  for (std::int64_t begin = 0; begin < whole_m; begin += band) {
    const std::int64_t end = begin + band < whole_m ? begin + band : whole_m;
    for (std::int64_t i = 0; i < whole_n; i += side) {
      for (std::int64_t j = begin; j < end; j += side) {
        transpose_square<T>(to + i * to_step + j * size, to_step, from + j * from_step + i * size, from_step);
      }
    }
    for (std::int64_t i = whole_n; i < n; ++i) {
      for (std::int64_t j = begin; j < end; ++j) move_one(i, j);
    }
  }
  for (std::int64_t j = whole_m; j < m; ++j) {
    for (std::int64_t i = 0; i < n; ++i) move_one(i, j);
  }
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

/// A value per row, repeated: one store of the row.
template <class T, int Cols>
void repeat_narrow(const TileCopy& c) {
  const char* from = at(c.from, 0);
  char* to = at(c.to, 0);
  for (std::int64_t r = 0; r < c.rows; ++r) {
    const T value = load<T>(from);
    T row[Cols];
#pragma GCC unroll 8
    for (int k = 0; k < Cols; ++k) row[k] = value;
    __builtin_memcpy(to, row, sizeof row);
    to += c.to_row;
    from += c.from_row;
  }
}

template <class T>
void copy_tile(const TileCopy& c) {
  constexpr std::int64_t size = sizeof(T);
  if (c.rows > 1 && c.cols > 1) {
    // A value per row, broadcast along it, is filled in below: through squares it took a quarter of a softmax of 128 columns.
    if (c.to_col == size && c.from_row == size && c.from_col != size && c.from_col != 0) {
      return transpose<T>(c.rows, c.cols, at(c.to, 0), c.to_row, at(c.from, 0), c.from_col);
    }
    if (c.to_row == size && c.from_col == size && c.to_col != size) {
      return transpose<T>(c.cols, c.rows, at(c.to, 0), c.to_col, at(c.from, 0), c.from_row);
    }
    const std::int64_t nbytes = c.cols * size;
    if (c.to_col == size && c.from_col == size && nbytes >= 16 && nbytes <= 1024) {
      return copy_rows(c.rows, nbytes, at(c.to, 0), c.to_row, at(c.from, 0), c.from_row);
    }
    if (c.from_col == 0 && c.to_col == size) {
      switch (c.cols) {
        case 2: return repeat_narrow<T, 2>(c);
        case 3: return repeat_narrow<T, 3>(c);
        case 4: return repeat_narrow<T, 4>(c);
        default: break;
      }
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

// Stacks of matrices as cuBLAS and cuSOLVER want them: column by column, without gaps.
//
// A matrix in C order is, column by column, its transpose: what inverts or factorizes symmetrically is done
// on that, and copies nothing in another order. Everything else is brought into columns by the copy that it
// needs anyway, since these libraries write over their operands.
#pragma once

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda::primitives {

/// Rows and columns of the matrices of a view.
struct Sides {
  std::int64_t m, n;
  std::int64_t low() const { return m < n ? m : n; }
  std::int64_t high() const { return m < n ? n : m; }
};
inline Sides sides_of(const View& a) { return {a.shape[a.shape.size() - 2], a.shape.back()}; }

/// The dimensions before the matrix, and how many matrices they have.
Dims stack_of(const View& a, std::size_t core = 2);
std::int64_t count_of(const Dims& stack);

View transposed(View view);
/// The first rows and columns of each matrix.
View corner(View view, std::int64_t rows, std::int64_t columns);

/// to[...] = from[...], conjugated where asked for (real numbers are their own conjugates).
void put(Context& context, const View& from, const View& to, bool conjugated = false);

/// Memory for a stack of matrices in columns.
class Columns {
 public:
  Columns(Context& context, dtype type, const Dims& stack, Sides sides);
  /// With the elements of `from`.
  Columns(Context& context, const View& from, bool conjugated = false);

  /// As an array of the usual shape, whose columns are runs.
  const View& view() const { return view_; }
  std::byte* at(std::int64_t matrix) const { return memory_.get() + matrix * step_; }
  std::int64_t count() const { return count_; }
  std::int64_t rows() const { return sides_of(view_).m; }

 private:
  std::int64_t count_, step_;
  Scratch memory_;
  View view_;
};

/// The addresses of `count` matrices that lie `step` bytes apart, in device memory, as batched routines take
/// them.
class Addresses {
 public:
  Addresses(Context& context, std::byte* first, std::int64_t step, std::int64_t count);
  const void* get() const { return memory_.get<void>(); }

 private:
  Scratch memory_;
};
inline Addresses addresses(Context& context, const Columns& columns) {
  return {context, columns.at(0), columns.at(1) - columns.at(0), columns.count()};
}

/// Matrices that fit the `int` of the older routines; throws ValueError where they do not.
int as_int(std::int64_t n, const char* function);

// -- Kernels over whole stacks of contiguous matrices (matrix_kernels.cu).

/// The identity in each of `count` matrices of n x n.
void set_identity(Context& context, dtype type, std::int64_t n, std::int64_t count, std::byte* to);
/// Zeros below the diagonal of matrices in C order.
void clear_below(Context& context, const View& matrices);
/// to (in C order or in columns) = a triangle of `from`, of the same shape; zeros in the other.
enum class Triangle : std::uint8_t { upper, lower };
void take_triangle(Context& context, const View& from, const View& to, Triangle which);
/// sums[j] = the sum of squares of column j of a matrix in columns of `ld` elements, from row `first` to row
/// `last`; in `type`'s real type.
void sum_squares(Context& context, dtype type, const std::byte* matrix, std::int64_t ld, std::int64_t first,
                 std::int64_t last, const View& sums);
/// The first `rank` rows of a matrix in columns divided by `values`, one a row; zeros in the others.
void divide_rows(Context& context, const Columns& matrix, const std::byte* values, std::int64_t rank);
/// Complex eigenvectors (n x n, in C order) from LAPACK's columns, where a real matrix has pairs of them:
/// real part and imaginary part.
void pair_columns(Context& context, dtype real, std::int64_t n, const std::byte* columns,
                  const std::byte* values, std::byte* to);

}  // namespace cuprum::cuda::primitives

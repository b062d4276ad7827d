// Products of a matrix and a vector in registers of our own (simd/matrix_pass.h), alone or two of the same matrix in one pass.
#pragma once

#include <optional>

#include "backend/cpu/matrix.h"
#include "cuprum/dtype.h"

namespace cuprum::cpu {

/// out = matrix @ vector, or vector @ matrix, of a matrix whose rows lie in memory.
struct MatrixVector {
  dtype type;
  bool from_right;
  Matrix matrix, vector, out;  // the last two with one row or one column
};

/// out = a @ b as such a product, if it is one.
std::optional<MatrixVector> as_matrix_vector(dtype type, const Matrix& a, const Matrix& b, const Matrix& out);

/// `maker`: what stores the matrix, in C order, which has no memory then (from the right alone).
void matrix_vector(const MatrixVector& product, const Kernel* maker = nullptr);

/// Both, the second of which may have the result of the first as its vector, with the bits that they have alone; the matrix is read once. False,
/// and nothing is done: they are no such pair.
bool matrix_vectors(const MatrixVector& first, const MatrixVector& second);

}  // namespace cuprum::cpu

// The operations that do not fuse, written for the reader: one element after the other, no threads, no
// blocks. The meaning of each is in runtime/primitives.h; the CPU backend is tested against these.
#pragma once

#include <vector>

#include "runtime/backend.h"

namespace cuprum::reference {

void scan(ScanOp op, Op fold, const View& in, const View& out);
void sort(const View& in, const View& out);
void argsort(const View& in, const View& out);
void searchsorted(const View& row, const View& values, bool right, const View& out);
void is_among(const View& row, const View& values, const View& out);
void count_between(const View& edges, const View& values, const View& out);
std::int64_t count_true(const View& mask);
void select(const View& in, const View& mask, const View& out);
void nonzero(const View& mask, const View& out);
void masked_assign(const View& to, const View& mask, const View& from);
void masked_fill(const View& to, const View& mask, const View& value);
Fault gather(const View& from, Operands index, const View& out);
Fault scatter(const View& to, Operands index, const View& from);
Fault scatter_fold(Op op, dtype key, const View& to, Operands index, const View& from);
void repeat(const View& in, const View& ends, const View& out);
void matmul(const View& a, const View& b, const View& out);
void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out);
void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                 const View& out);
void arange(const View& out, const Scalar& start, const Scalar& step);

#define CUPRUM_FORM(P) Answer<P> call(const P& p, Operands in, Results<P> out);
CUPRUM_PRIMITIVES(CUPRUM_FORM)
#undef CUPRUM_FORM

/// A fused kernel, see runtime/program.h.
void run(const Kernel& kernel);

}  // namespace cuprum::reference

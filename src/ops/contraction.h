// Contractions of arrays whose axes have labels: what einsum is made of.
//
// Two operands with summed labels in common are one batched matrix product, of views where the layouts allow it. What sums nothing is
// a recorded product; dot products of many short vectors are a product and a sum in one kernel.
#pragma once

#include "expr/array.h"
#include "ops/subscripts.h"

namespace cuprum::ops {

struct Term {
  Array array;
  Labels labels;  // one for each axis, no two equal
};

/// A term without repeated labels: axes with the same one become their diagonal, a view that can be written.
Term make_term(Array array, Labels labels);
/// The array with its axes in the order of `labels`, which are those of the term.
Array transposed(const Term& term, const Labels& labels);
/// The term summed over all labels that are not to be kept, in its own dtype.
Term summed(Term term, const Labels& keep);
/// The product of two terms of one dtype, summed over what is not in `keep`; axes as near to `order` as costs nothing.
Term contract(Term a, Term b, const Labels& keep, const Labels& order);

/// The products of two arrays of one dtype, summed over axes; those of half precision in float32.
Array sum_of_products(const Array& a, const Array& b, const Dims& axes);

}  // namespace cuprum::ops

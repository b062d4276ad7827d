// Overlap of strided views as a bounded linear Diophantine problem.
//
// 1. Two views share a byte if the sums  low_a + sum(s_i x_i) + p  and  low_b + sum(t_j y_j) + q  meet, with every index
//    inside its extent and p, q inside an element. Mirroring the second view's indices makes all coefficients
//    positive: sum(c_k z_k) = target, 0 <= z_k <= bound_k.
// 2. Terms are sorted by falling coefficient; equal ones are added up. What the remaining terms can still reach gives
//    each index a small interval, and the greatest common divisor of their coefficients must divide the rest.
// 3. Depth-first search over the intervals. Each step counts as work; with a bound on work the answer may be
//    "too hard", which callers treat as shared.
#include "expr/overlap.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "core/integers.h"
#include "runtime/lock.h"

namespace cuprum {

namespace {

struct Term {
  std::int64_t coefficient;
  std::int64_t bound;
};

class Search {
 public:
  Search(std::vector<Term> terms, std::int64_t max_work) : terms_(std::move(terms)), work_left_(max_work) {
    normalize();
    reach_.assign(terms_.size() + 1, 0);
    divisor_.assign(terms_.size() + 1, 0);
    for (std::size_t i = terms_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + terms_[i].coefficient * terms_[i].bound;
      divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].coefficient);
    }
  }

  Overlap solve(std::int64_t target) { return solve(0, target); }

 private:
  void normalize() {
    std::erase_if(terms_, [](const Term& t) { return t.bound == 0 || t.coefficient == 0; });
    std::sort(terms_.begin(), terms_.end(),
              [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
    std::vector<Term> merged;
    for (const Term& t : terms_) {
      if (!merged.empty() && merged.back().coefficient == t.coefficient)
        merged.back().bound += t.bound;
      else
        merged.push_back(t);
    }
    terms_ = std::move(merged);
  }

  Overlap solve(std::size_t i, std::int64_t target) {
    if (target < 0 || target > reach_[i]) return Overlap::no;
    if (target == 0) return Overlap::yes;
    if (divisor_[i] != 0 && target % divisor_[i] != 0) return Overlap::no;
    if (i + 1 == terms_.size()) return Overlap::yes;  // divisible, and within reach
    const std::int64_t c = terms_[i].coefficient;
    const std::int64_t least = target > reach_[i + 1] ? (target - reach_[i + 1] + c - 1) / c : 0;
    const std::int64_t most = std::min(terms_[i].bound, target / c);
    for (std::int64_t x = most; x >= least; --x) {
      if (work_left_ == 0) return Overlap::too_hard;
      if (work_left_ > 0) --work_left_;
      const Overlap answer = solve(i + 1, target - c * x);
      if (answer != Overlap::no) return answer;
    }
    return Overlap::no;
  }

  std::vector<Term> terms_;
  std::vector<std::int64_t> reach_;    // the largest sum of the terms from i on
  std::vector<std::int64_t> divisor_;  // their greatest common divisor
  std::int64_t work_left_;
};

void add_terms(const Array& a, std::vector<Term>& terms) {
  for (int d = 0; d < a.ndim(); ++d) terms.push_back({magnitude(a.strides()[d]), a.shape()[d] - 1});
  terms.push_back({1, static_cast<std::int64_t>(a.itemsize()) - 1});
}

/// The greatest common divisor of all strides that are taken; 0: no stride is.
std::int64_t common_step(const Array& a, std::int64_t step) {
  for (int d = 0; d < a.ndim(); ++d) {
    if (a.shape()[d] > 1) step = std::gcd(step, a.strides()[d]);
  }
  return step;
}

/// Do the elements of both views, modulo a step that divides all strides, lie beside each other? So columns of a matrix
/// are told apart without a search. `distance` is from the first element of `a` to that of `b`.
bool interleaved(const Array& a, const Array& b, std::int64_t distance) {
  const std::int64_t step = common_step(b, common_step(a, 0));
  if (step == 0) return false;
  std::int64_t apart = distance % step;
  if (apart < 0) apart += step;
  return apart >= static_cast<std::int64_t>(a.itemsize()) &&
         step - apart >= static_cast<std::int64_t>(b.itemsize());
}

/// Bytes from the first element of `a` to the first of `b`; nothing: they share no memory.
std::optional<std::int64_t> apart(const Array& a, const Array& b) {
  if (a.storage() == b.storage()) return b.offset() - a.offset();
  EngineLock lock;
  const Buffer *x = a.storage()->buffer.get(), *y = b.storage()->buffer.get();
  if (!x || !y || !share_memory(*x, *y)) return {};
  return (y->data - x->data) + b.offset() - a.offset();
}

Extent extent(const Array& a) { return extent(a.type(), a.shape(), a.strides(), a.offset()); }

}  // namespace

Extent extent(dtype type, const Dims& shape, const Dims& strides, std::int64_t offset) {
  Extent e{offset, offset + static_cast<std::int64_t>(itemsize(type))};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return {offset, offset};
    const std::int64_t span = strides[d] * (shape[d] - 1);
    (span < 0 ? e.low : e.high) += span;
  }
  return e;
}

bool share_memory(const Array& a, const Array& b) { return apart(a, b).has_value(); }

constexpr std::int64_t kMostBytes = std::int64_t{1} << 57;  // no processor has more addresses

std::optional<Extent> checked_extent(dtype type, const Dims& shape, const Dims& strides) {
  std::int64_t low = 0, high = static_cast<std::int64_t>(itemsize(type)), nbytes = high, span = 0;
  bool overflow = false, empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0) return std::nullopt;
    empty |= shape[d] == 0;
    overflow |= __builtin_mul_overflow(nbytes, shape[d], &nbytes) ||
                __builtin_mul_overflow(strides[d], shape[d] - 1, &span) ||
                __builtin_add_overflow(span < 0 ? low : high, span, span < 0 ? &low : &high) ||
                __builtin_sub_overflow(high, low, &span);
  }
  if (empty) return Extent{0, 0};
  if (overflow || high - low > kMostBytes) return std::nullopt;
  return Extent{low, high};
}

Extent foreign_extent(dtype type, const Dims& shape, const Dims& strides, const char* function) {
  if (const std::optional<Extent> e = checked_extent(type, shape, strides)) return *e;
  throw ValueError(std::string("cuprum.") + function + ": no memory has shape " + to_string(shape) +
                   " and strides " + to_string(strides));
}

Overlap memory_overlap(const Array& a, const Array& b, std::int64_t max_work) {
  const std::optional<std::int64_t> distance = apart(a, b);
  if (!distance) return Overlap::no;
  const Extent ea = extent(a), eb = extent(b.type(), b.shape(), b.strides(), a.offset() + *distance);
  if (ea.low == ea.high || eb.low == eb.high || ea.high <= eb.low || eb.high <= ea.low) return Overlap::no;
  if (max_work == 0) return Overlap::too_hard;
  if (interleaved(a, b, *distance)) return Overlap::no;
  std::vector<Term> terms;
  add_terms(a, terms);
  add_terms(b, terms);
  return Search(std::move(terms), max_work).solve(eb.high - 1 - ea.low);
}

Overlap internal_overlap(const Array& a, std::int64_t max_work) {
  if (a.size() < 2) return Overlap::no;
  // Strides that each step over everything below them cannot meet: the usual case.
  Dims order;
  for (int d = 0; d < a.ndim(); ++d) {
    if (a.shape()[d] == 1) continue;
    if (a.strides()[d] == 0) return Overlap::yes;
    order.push_back(d);
  }
  std::sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
    return magnitude(a.strides()[x]) < magnitude(a.strides()[y]);
  });
  std::int64_t span = static_cast<std::int64_t>(a.itemsize());
  bool nested = true;
  for (std::int64_t d : order) {
    nested &= magnitude(a.strides()[d]) >= span;
    span += magnitude(a.strides()[d]) * (a.shape()[d] - 1);
  }
  if (nested) return Overlap::no;
  // Two indices that first differ in dimension k, by e in [1, extent), differ in the others by -extent..extent.
  bool too_hard = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::vector<Term> terms{{1, 2 * (static_cast<std::int64_t>(a.itemsize()) - 1)}};
    std::int64_t target = static_cast<std::int64_t>(a.itemsize()) - 1;
    for (std::size_t j = 0; j < order.size(); ++j) {
      const std::int64_t stride = magnitude(a.strides()[order[j]]);
      const std::int64_t last = a.shape()[order[j]] - 1;
      if (j == k) {
        terms.push_back({stride, last - 1});
        target -= stride;
      } else {
        terms.push_back({stride, 2 * last});
        target += stride * last;
      }
    }
    const Overlap answer = Search(std::move(terms), max_work).solve(target);
    if (answer == Overlap::yes) return answer;
    too_hard |= answer == Overlap::too_hard;
  }
  return too_hard ? Overlap::too_hard : Overlap::no;
}

}  // namespace cuprum

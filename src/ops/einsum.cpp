// The labels are read by ops/subscripts, pairs are contracted by ops/contraction; here is what lies between: dtypes, sizes, and the
// order in which operands are contracted.
#include "ops/einsum.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "ops/contraction.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The length of every label; 1 stretches.
class Sizes {
 public:
  explicit Sizes(const std::vector<Term>& terms) {
    for (const Term& term : terms) {
      for (std::size_t i = 0; i < term.labels.size(); ++i) add(term.labels[i], term.array.shape()[i], terms);
    }
  }
  std::int64_t operator[](std::int64_t label) const {
    return sizes_[static_cast<std::size_t>(position(labels_, label))];
  }
  double product(const Labels& labels) const {
    double n = 1;
    for (const std::int64_t x : labels) n *= static_cast<double>((*this)[x]);
    return n;
  }

 private:
  void add(std::int64_t label, std::int64_t n, const std::vector<Term>& terms) {
    if (!contains(labels_, label)) {
      labels_.push_back(label);
      sizes_.push_back(n);
      return;
    }
    std::int64_t& known = sizes_[static_cast<std::size_t>(position(labels_, label))];
    if (known != 1 && n != 1 && n != known) throw_mismatch(label, known, n, terms);
    if (known == 1) known = n;
  }
  [[noreturn]] static void throw_mismatch(std::int64_t label, std::int64_t known, std::int64_t n,
                                          const std::vector<Term>& terms) {
    std::string shapes;
    for (const Term& term : terms) shapes += " " + to_string(term.array.shape());
    throw ValueError("cuprum.einsum: operands could not be broadcast together: " + label_text(label) +
                     " has the lengths " + std::to_string(known) + " and " + std::to_string(n) +
                     " in operands of the shapes" + shapes);
  }

  Labels labels_;
  Dims sizes_;
};

/// Labels that one operand repeats have one length in it.
void check_repeated(const Array& a, const Labels& labels, std::size_t operand) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto first = static_cast<std::size_t>(position(labels, labels[i]));
    if (a.shape()[i] == a.shape()[first]) continue;
    throw ValueError("cuprum.einsum: dimensions in operand " + std::to_string(operand) + " for collapsing " +
                     label_text(labels[i]) + " don't match (" + std::to_string(a.shape()[first]) +
                     " != " + std::to_string(a.shape()[i]) + ")");
  }
}

/// The term without the axes of length 1 that stand for longer ones: its values do not depend on them.
Term without_stretched(Term term, const Sizes& sizes) {
  Dims axes;
  Labels kept;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    if (term.array.shape()[i] == 1 && sizes[term.labels[i]] != 1)
      axes.push_back(static_cast<std::int64_t>(i));
    else
      kept.push_back(term.labels[i]);
  }
  if (axes.empty()) return term;
  return {squeeze(term.array, axes), std::move(kept)};
}

/// The dtype that everything is computed in; `out` counts as an operand.
dtype common_type(std::span<const Array> operands, const EinsumOptions& options) {
  std::vector<OperandType> types;
  for (const Array& a : operands) types.push_back({a.type()});
  if (options.out) types.push_back({options.out->type()});
  const dtype type = options.type ? *options.type : result_type(types);
  const auto check = [&](std::size_t i, dtype from, dtype to) {
    if (can_cast(from, to, options.casting)) return;
    throw TypeError("cuprum.einsum: Iterator operand " + std::to_string(i) +
                    " dtype could not be cast from dtype('" + name(from) + "') to dtype('" + name(to) +
                    "') according to the rule '" + name(options.casting) + "'");
  };
  for (std::size_t i = 0; i < operands.size(); ++i) check(i, operands[i].type(), type);
  if (options.out) check(operands.size(), type, options.out->type());
  return type;
}

Labels labels_of(std::span<const Term> terms, Labels all) {
  for (const Term& term : terms) {
    for (const std::int64_t x : term.labels) {
      if (!contains(all, x)) all.push_back(x);
    }
  }
  return all;
}

/// The terms of a group contracted into one, from the left. `others`: what is contracted later.
Term contract_group(std::vector<Term> group, std::span<const Term> others, const Labels& output) {
  const Labels order = labels_of(group, labels_of(others, output));
  const Labels later = labels_of(others, output);
  Term result = std::move(group[0]);
  for (std::size_t i = 1; i < group.size(); ++i) {
    const Labels needed = labels_of(std::span(group).subspan(i + 1), later);
    result = contract(std::move(result), std::move(group[i]), needed, order);
  }
  return summed(std::move(result), later);
}

/// The pair whose contraction takes most elements away; of equals the one that multiplies least.
std::vector<std::size_t> cheapest_pair(const std::vector<Term>& terms, const Labels& output,
                                       const Sizes& sizes) {
  std::vector<std::size_t> best;
  std::pair<double, double> lowest;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      Labels needed = output;
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (k != i && k != j) needed = labels_of({&terms[k], 1}, std::move(needed));
      }
      const Labels both = labels_of({&terms[j], 1}, terms[i].labels);
      Labels left;
      for (const std::int64_t x : both) {
        if (contains(needed, x)) left.push_back(x);
      }
      const double grown =
          sizes.product(left) - sizes.product(terms[i].labels) - sizes.product(terms[j].labels);
      const std::pair<double, double> cost(grown, sizes.product(both));
      if (best.empty() || cost < lowest) {
        best = {i, j};
        lowest = cost;
      }
    }
  }
  return best;
}

/// Takes the terms at these places out of the list.
std::vector<Term> take_out(std::vector<Term>& terms, std::vector<std::size_t> places) {
  std::sort(places.begin(), places.end());
  const bool repeats = std::adjacent_find(places.begin(), places.end()) != places.end();
  if (places.empty() || repeats || places.back() >= terms.size()) {
    throw ValueError("cuprum.einsum: a step of the path names places that a list of " +
                     std::to_string(terms.size()) + " operands does not have, or none, or one twice");
  }
  std::vector<Term> taken;
  for (const std::size_t i : places) taken.push_back(std::move(terms[i]));
  for (std::size_t k = places.size(); k > 0; --k)
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(places[k - 1]));
  return taken;
}

/// The cheapest pair first, until two are left. Of the terms only the labels are looked at.
ContractionPath path_of(std::vector<Term> terms, const Labels& output, const Sizes& sizes) {
  ContractionPath path;
  while (terms.size() > 2) {
    path.push_back(cheapest_pair(terms, output, sizes));
    const Labels both = labels_of(take_out(terms, path.back()), {}), later = labels_of(terms, output);
    Labels left;
    for (const std::int64_t x : both) {
      if (contains(later, x)) left.push_back(x);
    }
    terms.push_back({Array(), left});
  }
  path.emplace_back();
  for (std::size_t i = 0; i < terms.size(); ++i) path.back().push_back(i);
  return path;
}

Array contract_all(std::vector<Term> terms, const Labels& output, const ContractionPath& path) {
  for (const std::vector<std::size_t>& step : path)
    terms.push_back(contract_group(take_out(terms, step), terms, output));
  if (terms.size() != 1) {
    throw ValueError("cuprum.einsum: the path leaves " + std::to_string(terms.size()) +
                     " operands uncontracted; its last step names all that are left");
  }
  return transposed(terms[0], output);
}

Array delivered(const Array& result, std::span<const Array> operands, const EinsumOptions& options) {
  if (options.out) {
    if (!(options.out->shape() == result.shape())) {
      throw ValueError("cuprum.einsum: operands could not be broadcast together: out has the shape " +
                       to_string(options.out->shape()) + ", the result " + to_string(result.shape()));
    }
    assign(*options.out, Input(result));
    return *options.out;
  }
  char order = options.order;
  if (order == 'A') {
    const bool fortran =
        std::all_of(operands.begin(), operands.end(), [](const Array& a) { return a.f_contiguous(); });
    order = fortran ? 'F' : 'C';
  }
  const bool lies_so = order == 'K' || (order == 'C' ? result.c_contiguous() : result.f_contiguous());
  return value_if_0d(lies_so ? result : record_copy(result, result.type(), order));
}

/// Are there no labels in one list that are not in the other?
bool same_labels(const Labels& a, const Labels& b) {
  const auto within = [](const Labels& x, const Labels& y) {
    return std::all_of(x.begin(), x.end(), [&](std::int64_t label) { return contains(y, label); });
  };
  return within(a, b) && within(b, a);
}

Subscripts subscripts_of(std::string_view text, std::span<const Array> operands) {
  std::vector<int> ndims;
  for (const Array& a : operands) ndims.push_back(a.ndim());
  return parse_subscripts(text, ndims);
}

}  // namespace

ContractionPath einsum_path(std::string_view text, std::span<const Array> operands) {
  const Subscripts subscripts = subscripts_of(text, operands);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    check_repeated(operands[i], subscripts.inputs[i], i);
    terms.push_back(make_term(operands[i], subscripts.inputs[i]));
  }
  const Sizes sizes(terms);
  return path_of(std::move(terms), subscripts.output, sizes);
}

Array einsum(std::string_view text, std::span<const Array> operands, const EinsumOptions& options) {
  const Subscripts subscripts = subscripts_of(text, operands);
  const bool is_view = !options.out && operands.size() == 1 &&
                       same_labels(subscripts.inputs[0], subscripts.output);  // which has the operand's dtype
  const dtype type = is_view ? operands[0].type() : common_type(operands, options);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    check_repeated(operands[i], subscripts.inputs[i], i);
    terms.push_back(make_term(record_cast(operands[i], type), subscripts.inputs[i]));
  }
  if (is_view) return value_if_0d(transposed(terms[0], subscripts.output));
  const Sizes sizes(terms);
  for (Term& term : terms) term = without_stretched(std::move(term), sizes);
  const ContractionPath path = options.path ? *options.path : path_of(terms, subscripts.output, sizes);
  return delivered(contract_all(std::move(terms), subscripts.output, path), operands, options);
}

}  // namespace cuprum::ops

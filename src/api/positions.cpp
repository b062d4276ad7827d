#include "cuprum/positions.h"

#include "api/handle.h"
#include "ops/choosing.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/positions.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::Bounds to_bounds(const char* function, const std::string& mode) {
  if (mode == "raise") return ops::Bounds::raise;
  if (mode == "wrap") return ops::Bounds::wrap;
  if (mode == "clip") return ops::Bounds::clip;
  throw ValueError(std::string("cuprum.") + function +
                   ": clipmode must be one of 'clip', 'raise', or 'wrap' (got '" + mode + "')");
}

void check_order(const char* function, char order) {
  if (order == 'C' || order == 'F') return;
  throw ValueError(std::string("cuprum.") + function + ": only 'C' or 'F' order is permitted, not '" + order +
                   "'");
}

ops::Piece to_piece(const piece& p) {
  if (!p.function()) return operand_access::value(p.number());
  return [f = p.function()](const Array& elements) { return of(f(array(elements))); };
}

}  // namespace

std::vector<array> diag_indices(std::int64_t n, int ndim) {
  const array row(ops::arange(std::int64_t{0}, n, std::int64_t{1}, default_backend()));
  return std::vector<array>(static_cast<std::size_t>(ndim), row);
}
std::vector<array> diag_indices_from(const array& a) {
  return to_handles(ops::diag_indices_from(of(a).shape(), of(a).backend()));
}
std::vector<array> tril_indices(std::int64_t n, std::int64_t k, std::optional<std::int64_t> m) {
  return to_handles(ops::tril_indices(n, k, m.value_or(n), default_backend()));
}
std::vector<array> tril_indices_from(const array& a, std::int64_t k) {
  return to_handles(ops::tril_indices_from(of(a).shape(), k, of(a).backend()));
}
std::vector<array> triu_indices(std::int64_t n, std::int64_t k, std::optional<std::int64_t> m) {
  return to_handles(ops::triu_indices(n, k, m.value_or(n), default_backend()));
}
std::vector<array> triu_indices_from(const array& a, std::int64_t k) {
  return to_handles(ops::triu_indices_from(of(a).shape(), k, of(a).backend()));
}
std::vector<array> mask_indices(std::int64_t n,
                                const std::function<array(const array&, std::int64_t)>& mask_func,
                                std::int64_t k) {
  const array left = mask_func(array(ops::ones({n, n}, dtype::int64, 'C', default_backend())), k);
  return to_handles(ops::nonzero(of(left)));
}

array indices(const shape_type& dimensions, dtype type) {
  return array(ops::indices(to_dims(dimensions), type, default_backend()));
}
std::vector<array> sparse_indices(const shape_type& dimensions, dtype type) {
  return to_handles(ops::sparse_indices(to_dims(dimensions), type, default_backend()));
}
std::vector<array> ix_(const std::vector<array>& vectors) { return to_handles(ops::ix_(to_arrays(vectors))); }

array ravel_multi_index(const std::vector<array>& multi_index, const shape_type& dims,
                        const std::string& mode, char order) {
  check_order("ravel_multi_index", order);
  const std::vector<ops::Bounds> modes(dims.size(), to_bounds("ravel_multi_index", mode));
  Backend& backend = multi_index.empty() ? default_backend() : of(multi_index[0]).backend();
  return array(ops::ravel_multi_index(to_arrays(multi_index), to_dims(dims), modes, order, backend));
}
std::vector<array> unravel_index(const array& indices, const shape_type& shape, char order) {
  check_order("unravel_index", order);
  return to_handles(ops::unravel_index(of(indices), to_dims(shape), order));
}

array select(const std::vector<array>& conditions, const std::vector<operand>& choices,
             const operand& otherwise) {
  std::vector<Value> values;
  for (const operand& choice : choices) values.push_back(operand_access::value(choice));
  Backend& backend = conditions.empty() ? default_backend() : of(conditions[0]).backend();
  return array(ops::select_first(to_arrays(conditions), values, operand_access::value(otherwise), backend));
}
array piecewise(const array& x, const std::vector<array>& conditions, const std::vector<piece>& pieces) {
  std::vector<ops::Piece> all;
  for (const piece& p : pieces) all.push_back(to_piece(p));
  std::vector<Array> masks;
  for (const array& c : conditions) masks.push_back(ops::to_bool(of(c)));
  return array(ops::piecewise(of(x), masks, all));
}

}  // namespace cuprum

#include "cuprum/editing.h"

#include "api/handle.h"
#include "ops/block.h"
#include "ops/diagonals.h"
#include "ops/edit.h"
#include "ops/manipulate.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::Blocks to_blocks(const blocks& given) {
  ops::Blocks result;
  if (given.block()) result.block = of(*given.block());
  for (const blocks& part : given.list()) result.list.push_back(to_blocks(part));
  return result;
}

/// What an array can be cut or filled by along one axis.
ops::IndexItem place(const char* function, const index_item& where) {
  const ops::IndexItem item = index_access::item(where);
  using Kind = ops::IndexItem::Kind;
  if (item.kind == Kind::integer || item.kind == Kind::slice || item.kind == Kind::array) return item;
  throw IndexError(std::string("cuprum.") + function + ": an integer, a slice or an array is needed");
}

}  // namespace

array delete_(const array& a, const index_item& where, std::optional<std::int64_t> axis) {
  return array(ops::delete_items(of(a), place("delete", where), axis));
}
array insert(const array& a, const index_item& where, const operand& values,
             std::optional<std::int64_t> axis) {
  return array(ops::insert(of(a), place("insert", where), operand_access::value(values), axis));
}
array trim_zeros(const array& a, const std::string& trim, const axis_set& axis) {
  return array(
      ops::trim_zeros(of(a), trim, axis.axes() ? std::optional(to_dims(*axis.axes())) : std::nullopt));
}
array block(const blocks& arrays) { return array(ops::block(to_blocks(arrays))); }
array diagflat(const array& v, std::int64_t k) { return array(ops::diag(ops::ravel(of(v)), k)); }
void fill_diagonal(const array& a, const operand& value, bool wrap) {
  ops::fill_diagonal(of(a), operand_access::value(value), wrap);
}
array vander(const array& x, std::optional<std::int64_t> columns, bool increasing) {
  return array(ops::vander(of(x), columns, increasing));
}

}  // namespace cuprum

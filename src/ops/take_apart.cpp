#include "ops/take_apart.h"

#include <string>

#include "core/texts.h"
#include "ops/index.h"
#include "ops/manipulate.h"

namespace cuprum::ops {

namespace {

void check_ndim(const char* function, const Array& a, int least) {
  if (a.ndim() >= least) return;
  throw ValueError(prefix(function) + function + " only works on arrays of " + std::to_string(least) +
                   " or more dimensions");
}

}  // namespace

std::vector<Array> split_evenly(const char* function, const Array& a, const Sections& sections,
                                std::int64_t axis) {
  if (sections.positions) return split(a, *sections.positions, axis);
  const int d = normalize_axis(function, axis, a.ndim());
  if (sections.count > 0 && a.shape()[d] % sections.count != 0) {
    throw ValueError(prefix(function) +
                     "array split does not result in an equal division: " + std::to_string(a.shape()[d]) +
                     " elements in " + std::to_string(sections.count) + " sections; write array_split");
  }
  return array_split(a, sections.count, axis);
}

std::vector<Array> hsplit(const Array& a, const Sections& sections) {
  check_ndim("hsplit", a, 1);
  return split_evenly("hsplit", a, sections, a.ndim() > 1 ? 1 : 0);
}

std::vector<Array> vsplit(const Array& a, const Sections& sections) {
  check_ndim("vsplit", a, 2);
  return split_evenly("vsplit", a, sections, 0);
}

std::vector<Array> dsplit(const Array& a, const Sections& sections) {
  check_ndim("dsplit", a, 3);
  return split_evenly("dsplit", a, sections, 2);
}

std::vector<Array> unstack(const Array& a, std::int64_t axis) {
  if (a.ndim() == 0) throw ValueError("cuprum.unstack: Input array must be at least 1-d.");
  const Array rows = moveaxis(a, Dims{normalize_axis("unstack", axis, a.ndim())}, Dims{0});
  std::vector<Array> slices;
  for (std::int64_t i = 0; i < rows.shape()[0]; ++i) slices.push_back(item_first(rows, i));
  return slices;
}

Array rollaxis(const Array& a, std::int64_t axis, std::int64_t start) {
  const int n = a.ndim(), from = normalize_axis("rollaxis", axis, n);
  const std::int64_t before = start < 0 ? start + n : start;
  if (before < 0 || before > n) {
    throw AxisError("cuprum.rollaxis: start arg requires " + std::to_string(-n) + " <= start < " +
                    std::to_string(n + 1) + ", but " + std::to_string(start) + " was passed in");
  }
  return moveaxis(a, Dims{from}, Dims{from < before ? before - 1 : before});
}

}  // namespace cuprum::ops

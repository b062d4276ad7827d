// Whether two arrays have memory in common.
#include "core/overlap.h"

#include "bindings.h"
#include "errors.h"

namespace cuprum::python {

void bind_overlap(nb::module_& m) {
  m.def(
      "shares_memory",
      [](nb::handle a, nb::handle b) {
        return shares_memory(unwrap(a.ptr(), "shares_memory", 1), unwrap(b.ptr(), "shares_memory", 2));
      },
      nb::arg("a").none(), nb::arg("b").none());
  m.def(
      "may_share_memory",
      [](nb::handle a, nb::handle b) {
        return may_share_memory(unwrap(a.ptr(), "may_share_memory", 1),
                                unwrap(b.ptr(), "may_share_memory", 2));
      },
      nb::arg("a").none(), nb::arg("b").none());
}

}  // namespace cuprum::python

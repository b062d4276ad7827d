// Whether two arrays have memory in common.
#include "expr/overlap.h"

#include "bindings.h"
#include "errors.h"

namespace cuprum::python {

void bind_overlap(nb::module_& m) {
  m.def(
      "memory_overlap",
      [](const nb::handle a, const nb::handle b, std::int64_t max_work) -> nb::object {
        const Overlap found = memory_overlap(unwrap(a.ptr(), "memory_overlap", 1),
                                             unwrap(b.ptr(), "memory_overlap", 2), max_work);
        return found == Overlap::too_hard ? nb::none() : nb::object(nb::bool_(found == Overlap::yes));
      },
      nb::arg("a"), nb::arg("b"), nb::arg("max_work"));
}

}  // namespace cuprum::python

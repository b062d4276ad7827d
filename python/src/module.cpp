// The module cuprum._core: everything of the package that is C++.
#include "bindings.h"
#include "boundary.h"
#include "errors.h"
#include "numpy_interop.h"

using namespace cuprum::python;

NB_MODULE(_core, m) {
  bind_errors(m);
  bind_dtypes(m);
  bind_numpy_interop(m);
  bind_ndarray(m);
  bind_ufuncs(m);
  bind_promotion(m);
  bind_overlap(m);
  bind_memory(m);
  bind_functions(m);
  bind_controls(m);
  bind_float_errors(m);
  bind_places(m);
  guard_bound_functions(m);
}

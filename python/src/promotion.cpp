// What programs ask about promotion: promote_types, result_type, common_type, can_cast. NumPy's functions would do but for
// bfloat16, which they do not know without another package.
#include <vector>

#include "bindings.h"
#include "casters.h"
#include "core/promotion.h"
#include "core/type_facts.h"
#include "errors.h"
#include "numpy_interop.h"

namespace cuprum::python {

namespace {

OperandType operand_type(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::weak_int: return kWeakInt;
    case Value::Kind::weak_float: return kWeakFloat;
    case Value::Kind::weak_complex: return kWeakComplex;
    default: return {v.type()};
  }
}

/// An array, a scalar or anything that names a dtype.
OperandType operand_type(PyObject* o, const char* function) {
  if (is_numpy_array(o)) return {to_dtype(nb::borrow(o).attr("dtype").ptr(), function)};
  if (!PyType_Check(o) && !PyTuple_Check(o) && !PyList_Check(o)) {
    if (const auto v = try_value(o, function, 0)) return operand_type(*v);
  }
  return {to_dtype(o, function)};
}

nb::object to_object(dtype t) { return nb::borrow(from_dtype(t)); }

}  // namespace

void bind_promotion(nb::module_& m) {
  m.def(
      "promote_types",
      [](nb::handle a, nb::handle b) {
        return to_object(
            promote_types(to_dtype(a.ptr(), "promote_types"), to_dtype(b.ptr(), "promote_types")));
      },
      nb::arg("type1").none(), nb::arg("type2").none());
  m.def("result_type", [](nb::args args) {
    std::vector<OperandType> operands;
    for (nb::handle a : args) operands.push_back(operand_type(a.ptr(), "result_type"));
    if (operands.empty()) throw ValueError("cuprum.result_type: at least one array or dtype is required");
    return to_object(result_type(operands));
  });
  m.def("common_type", [](nb::args types) {
    std::vector<dtype> all;
    for (nb::handle t : types) all.push_back(to_dtype(t.ptr(), "common_type"));
    return to_object(common_type(all));
  });
  m.def(
      "can_cast",
      [](nb::handle from, nb::handle to, const Text& casting) {
        if (from.is_none() || to.is_none()) {
          throw TypeError("cuprum.can_cast: did not understand one of the types; 'None' not accepted");
        }
        const OperandType source = operand_type(from.ptr(), "can_cast");
        if (source.is_weak()) {
          throw TypeError(
              "cuprum.can_cast: does not support Python ints, floats, and complex, which have no dtype of "
              "their own; write the dtype");
        }
        return can_cast(source, to_dtype(to.ptr(), "can_cast"), parse_casting(casting.c_str()));
      },
      nb::arg("from_").none(), nb::arg("to").none(), nb::arg("casting") = "safe");
}

}  // namespace cuprum::python

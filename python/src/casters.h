// Parameters of functions that nanobind binds, where its own casters are too narrow: `Text` takes every str, lone surrogates
// too, `Truth` the truth of any object, as NumPy's flags do.
#pragma once

#include <string_view>

#include "ndarray.h"

namespace cuprum::python {

struct Text {
  std::string value;
  operator std::string_view() const { return value; }
  const char* c_str() const { return value.c_str(); }
};

struct Truth {
  bool on = false;
  operator bool() const { return on; }
};

}  // namespace cuprum::python

namespace nanobind::detail {

template <>
struct type_caster<cuprum::python::Text> {
  NB_TYPE_CASTER(cuprum::python::Text, const_name("str"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) {
    if (!PyUnicode_Check(source.ptr())) return false;
    value.value = cuprum::python::to_utf8(source.ptr());
    return true;
  }
};

template <>
struct type_caster<cuprum::python::Truth> {
  NB_TYPE_CASTER(cuprum::python::Truth, const_name("bool"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) {
    value.on = cuprum::python::to_flag(source.ptr());
    return true;
  }
};

}  // namespace nanobind::detail

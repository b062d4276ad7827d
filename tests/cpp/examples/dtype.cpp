// cuprum/dtype.h
#include "examples.h"

TEST(Examples, dtype) {
  // itemsize
  shows(cp::itemsize(cp::dtype::float32), "4");
  // name
  shows(cp::name(cp::dtype::complex64), "complex64");
  // is_bool, is_signed_integer, is_unsigned_integer, is_integer, is_floating, is_complex
  {
    shows(cp::is_bool(cp::dtype::bool_), "true");
    shows(cp::is_signed_integer(cp::dtype::int8), "true");
    shows(cp::is_unsigned_integer(cp::dtype::int8), "false");
    shows(cp::is_integer(cp::dtype::uint64), "true");
    shows(cp::is_floating(cp::dtype::bfloat16), "true");
    shows(cp::is_complex(cp::dtype::float64), "false");
  }
  // real_type
  shows(cp::real_type(cp::dtype::complex64), "float32");
}

// cuprum/types.h
#include "examples.h"

TEST(Examples, types) {
  // promote_types
  shows(cp::promote_types(cp::dtype::int32, cp::dtype::float32), "float64");
  // result_type
  {
    const cp::array a({1.0, 2.0}, cp::dtype::float32);
    shows(cp::result_type({a, 3.0}), "float32");
  }
  // can_cast
  shows(cp::can_cast(cp::dtype::int32, cp::dtype::float64), "true");
  shows(cp::can_cast(cp::dtype::float64, cp::dtype::float32), "false");
  shows(cp::can_cast(cp::dtype::float64, cp::dtype::float32, "same_kind"), "true");
  // common_type
  shows(cp::common_type({cp::array{1, 2}, cp::array{1.0}}), "float64");
  // min_scalar_type
  shows(cp::min_scalar_type(300), "uint16");
  // finfo::finfo
  {
    const cp::finfo limits(cp::dtype::float32);
    shows(limits.eps, "1.1920928955078125e-07");
    shows(limits.precision, "6");
  }
  // iinfo::iinfo
  {
    const cp::iinfo limits(cp::dtype::int8);
    shows(limits.min, "-128");
    shows(limits.max, "127");
  }
  // broadcast_shapes
  shows(cp::broadcast_shapes({{3, 1}, {1, 4}}), "{3, 4}");
  // iscomplexobj
  shows(cp::iscomplexobj(cp::array{std::complex<double>(1, 0)}), "true");
  // isrealobj
  shows(cp::isrealobj(cp::array{1.0}), "true");
  // isfortran
  shows(cp::isfortran(cp::transpose(cp::zeros({2, 3}))), "true");
  // shares_memory
  {
    const cp::array a = cp::arange(10);
    const cp::array even = a(cp::slice({}, {}, 2)), odd = a(cp::slice(1, {}, 2));
    shows(cp::shares_memory(a, even), "true");
    shows(cp::shares_memory(even, odd), "false");
  }
  // may_share_memory
  {
    const cp::array a = cp::arange(10);
    const cp::array even = a(cp::slice({}, {}, 2)), odd = a(cp::slice(1, {}, 2));
    shows(cp::may_share_memory(even, odd), "true");
  }
  // packbits
  shows(cp::packbits(cp::array{true, false, true}), "[160]");
  shows(cp::packbits(cp::array{true, false, true}, {}, "little"), "[5]");
  // unpackbits
  shows(cp::unpackbits(cp::array({5}, cp::dtype::uint8)), "[0 0 0 0 0 1 0 1]");
}

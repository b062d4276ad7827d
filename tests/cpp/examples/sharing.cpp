// cuprum/sharing.h
#include "examples.h"

TEST(Examples, sharing) {
  // from_memory
  {
    std::vector<double> mine{1.0, 2.0, 3.0};
    const cp::array a = cp::from_memory(mine.data(), {3});
    shows(a * 2.0, "[2. 4. 6.]");
  }
  // shared_memory
  {
    auto* mine = new float[2]{0.5F, 1.5F};
    const cp::array a = cp::shared_memory(mine, cp::dtype::float32, {2}, [mine] { delete[] mine; });
    shows(a, "[0.5 1.5]");
  }
  // host_span, host_elements
  {
    const cp::device_scope host("cpu");
    const cp::array a = cp::arange(3.0);
    cp::host_span<double>(a)[0] = 7.0;
    shows(a, "[7. 1. 2.]");
    shows(static_cast<double*>(cp::host_elements(a, cp::dtype::float64))[2], "2");
  }
  // host_mdspan
  {
    struct Matrix {  // where the compiler has it: std::mdspan<double, std::dextents<int, 2>>
      using element_type = double;
      using index_type [[maybe_unused]] = int;
      static constexpr std::size_t rank() { return 2; }
      Matrix(double* data, std::array<int, 2> extents) : data(data), extents(extents) {}
      double* data_handle() const { return data; }
      int extent(std::size_t i) const { return extents[i]; }
      int stride(std::size_t i) const { return i == 0 ? extents[1] : 1; }
      double* data;
      std::array<int, 2> extents;
    };
    const cp::device_scope host("cpu");
    const cp::array a = cp::zeros({2, 2});
    const Matrix m = cp::host_mdspan<Matrix>(a);
    m.data_handle()[m.stride(0)] = 5.0;  // m[1, 0]
    shows(a, "[[0. 0.]\n [5. 0.]]");
  }
  // data_pointer
  {
    const cp::array a = cp::arange(3.0);
    shows(cp::data_pointer(a) != nullptr, "true");  // for a kernel of your own
  }
  // to_dlpack, from_dlpack
  {
    const cp::array a{1, 2, 3};
    const cp::array same = cp::from_dlpack(cp::to_dlpack(a));
    a(0) = 9;
    shows(same, "[9 2 3]");
  }
}

// The parameters of a program's elementwise and reduction kernels, in CuPy's notation: "T x, raw float32 table".
//
// A type of one letter is a placeholder: it stands for the dtype of the first array that is given for it, outputs before inputs. Any
// other type is a dtype by NumPy's name. Arrays are never cast: one of another dtype is an error. Numbers are cast.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/small_vector.h"
#include "cuprum/dtype.h"

namespace cuprum::ops {

struct KernelParameter {
  std::string name;
  std::string placeholder;    // a letter; empty: `type` is given
  std::optional<dtype> type;  // none: that of the placeholder
  bool raw = false;           // indexed by the program's text, and not by the loop
  bool is_const = true;       // an input that the text does not write

  /// As the text of a kernel names its type: "T", "float".
  const char* type_name() const;
};

/// Throws ValueError for what is no list of parameters, TypeError for a type that there is not.
std::vector<KernelParameter> parse_parameters(const char* function, std::string_view text, bool is_const);

/// May a kernel be called so? Throws ValueError.
void check_kernel_name(const char* function, const std::string& name);

/// The type of an element in the text of kernels: "float", "long long", "complex<double>".
const char* c_type(dtype type);

/// The dtypes of a call: those of all parameters, and what the placeholders stand for, by their letters.
struct ParameterTypes {
  SmallVector<dtype, 8> in, out;
  std::vector<std::pair<std::string, dtype>> placeholders;

  /// "typedef float T;" for each placeholder.
  std::string typedefs() const;
};

/// `in` and `out` have the dtypes of the arrays that are given, none for numbers; `out` is empty where results are new arrays.
/// Throws TypeError with CuPy's text.
ParameterTypes resolve_types(const char* function, std::span<const KernelParameter> in_parameters,
                             std::span<const KernelParameter> out_parameters,
                             std::span<const std::optional<dtype>> in,
                             std::span<const std::optional<dtype>> out);

/// Does one of these words stand in the text of a program?
bool mentions(std::string_view text, std::span<const char* const> words);

}  // namespace cuprum::ops

// Reads the golden files of tests/golden (written by tools/dump_golden.py, which explains their form).
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/op_signatures.h"
#include "core/promotion.h"
#include "cuprum/error.h"

namespace golden {

struct Row {
  std::vector<std::string> head;     // before " : "
  std::vector<std::string> answers;  // after it
  std::string line;
};

inline std::vector<std::string> split(const std::string& text, char separator = ' ') {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

inline std::vector<std::string> lines(const std::string& file) {
  std::ifstream in(std::string(CUPRUM_GOLDEN_DIR) + "/" + file);
  if (!in) throw std::runtime_error("no golden file " + file);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) {
    if (line[0] != '#') result.push_back(line);
  }
  return result;
}

inline std::vector<Row> rows(const std::string& file) {
  std::vector<Row> result;
  for (const std::string& line : lines(file)) {
    const std::size_t colon = line.find(" : ");
    result.push_back({split(line.substr(0, colon)), split(line.substr(colon + 3)), line});
  }
  return result;
}

/// "?bhiqBHIQefdFD", the dtypes of a row; with the weak scalars "1.j", its operands.
inline const std::string kDTypes = "?bhiqBHIQefdFD";
inline const std::string kOperands = kDTypes + "1.j";

inline cuprum::OperandType operand(char c) {
  switch (c) {
    case '1': return cuprum::kWeakInt;
    case '.': return cuprum::kWeakFloat;
    case 'j': return cuprum::kWeakComplex;
    default: return {cuprum::dtype_of_char(c)};
  }
}

inline std::vector<cuprum::OperandType> operands(const std::string& text) {
  std::vector<cuprum::OperandType> result;
  for (char c : text) result.push_back(operand(c));
  return result;
}

/// The token that stands for an exception, of the ufunc `name`.
inline std::string error_token(const std::string& name, const cuprum::Error& error) {
  const std::string text = error.what();
  const bool is_ufunc_error = dynamic_cast<const cuprum::UFuncTypeError*>(&error) != nullptr;
  const auto starts = [&](const std::string& start) { return text.rfind(start, 0) == 0; };
  if (!dynamic_cast<const cuprum::TypeError*>(&error)) return "!?" + text;
  if (is_ufunc_error && starts("ufunc '" + name + "' did not contain a loop with signature")) return "!l";
  if (is_ufunc_error && starts("Cannot cast ufunc '" + name + "' input")) return "!c";
  if (is_ufunc_error) return "!?" + text;
  if (starts("ufunc '" + name + "' not supported for the input types")) return "!n";
  if (starts("numpy boolean subtract")) return "!s";
  if (starts("The numpy boolean negative")) return "!g";
  if (starts("No loop matching the specified signature and casting was found for ufunc " + name)) return "!m";
  return "!?" + text;
}

}  // namespace golden

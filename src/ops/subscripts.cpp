#include "ops/subscripts.h"

#include <algorithm>

#include "cuprum/error.h"

namespace cuprum::ops {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw ValueError("cuprum.einsum: " + why); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

/// A term cut at its ellipsis.
struct Parts {
  std::string_view before, after;
  bool ellipsis;

  Parts(std::string_view term, const std::string& where) {
    const std::size_t at = term.find("...");
    ellipsis = at != std::string_view::npos;
    before = term.substr(0, at);
    if (ellipsis) after = term.substr(at + 3);
    for (const std::string_view part : {before, after}) check_letters(part, where);
  }
  static void check_letters(std::string_view text, const std::string& where) {
    for (const char c : text) {
      if (c == '.') {
        refuse("einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in " +
               where);
      }
      if (!is_letter(c)) {
        refuse("invalid subscript " + in_quotes({&c, 1}) +
               " in einstein sum subscripts string, subscripts must be letters");
      }
    }
  }
  Labels labels(std::int64_t extra) const {
    Labels all;
    for (const char c : before) all.push_back(c);
    for (std::int64_t k = -extra; k < 0; ++k) all.push_back(k);
    for (const char c : after) all.push_back(c);
    return all;
  }
};

Labels input_labels(std::string_view term, int ndim, std::size_t operand) {
  const Parts parts(term, "operand " + std::to_string(operand));
  const auto extra = ndim - static_cast<std::int64_t>(parts.before.size() + parts.after.size());
  const std::string what = ": " + in_quotes(term) + " for " + std::to_string(ndim) + " dimensions";
  if (extra < 0) {
    refuse("einstein sum subscripts string contains too many subscripts for operand " +
           std::to_string(operand) + what);
  }
  if (extra > 0 && !parts.ellipsis) {
    refuse(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided "
        "to "
        "broadcast the extra dimensions" +
        what);
  }
  return parts.labels(extra);
}

/// How many axes the ellipses stand for together: those of the operand that has most.
std::int64_t broadcast_axes(const std::vector<Labels>& inputs) {
  std::int64_t lowest = 0;
  for (const Labels& labels : inputs) {
    for (const std::int64_t x : labels) lowest = std::min(lowest, x);
  }
  return -lowest;
}

Labels output_labels(std::string_view term, const std::vector<Labels>& inputs) {
  const Parts parts(term, "the output");
  const std::string letters = std::string(parts.before) + std::string(parts.after);
  for (const char c : letters) {
    if (std::count(letters.begin(), letters.end(), c) > 1) {
      refuse("einstein sum subscripts string includes output subscript " + in_quotes({&c, 1}) +
             " multiple times");
    }
    const auto has = [c](const Labels& labels) { return contains(labels, c); };
    if (std::none_of(inputs.begin(), inputs.end(), has)) {
      refuse("einstein sum subscripts string included output subscript " + in_quotes({&c, 1}) +
             " which never appeared in an input");
    }
  }
  const std::int64_t extra = broadcast_axes(inputs);
  if (extra > 0 && !parts.ellipsis) {
    refuse(
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
        "broadcast the extra dimensions");
  }
  return parts.labels(extra);
}

/// Without an arrow: the ellipsis, then the letters that occur once, in the order of the alphabet.
Labels implied_output(const std::vector<Labels>& inputs) {
  int count[128] = {};
  for (const Labels& labels : inputs) {
    for (const std::int64_t x : labels) {
      if (x > 0) ++count[x];
    }
  }
  Labels output;
  for (std::int64_t k = -broadcast_axes(inputs); k < 0; ++k) output.push_back(k);
  for (std::int64_t c = 0; c < 128; ++c) {
    if (count[c] == 1) output.push_back(c);
  }
  return output;
}

}  // namespace

std::string label_text(std::int64_t label) {
  const char c = static_cast<char>(label);
  return label < 0 ? "the ellipsis" : "index " + in_quotes({&c, 1});
}

Subscripts parse_subscripts(std::string_view given, std::span<const int> ndims) {
  std::string text;
  std::copy_if(given.begin(), given.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  const std::size_t arrow = text.find("->");
  std::string_view head = std::string_view(text).substr(0, arrow);
  if (head.find_first_of("->") != std::string_view::npos) {
    refuse("einstein sum subscript string does not contain proper '->' output specified");
  }
  const auto terms = static_cast<std::size_t>(std::count(head.begin(), head.end(), ',')) + 1;
  if (terms != ndims.size()) {
    refuse(std::string(terms > ndims.size() ? "more" : "fewer") +
           " operands provided to einstein sum function than specified in the subscripts string: " +
           std::to_string(terms) + " terms in " + in_quotes(text) + " for " + std::to_string(ndims.size()) +
           " operands");
  }
  Subscripts subscripts;
  for (std::size_t i = 0; i < terms; ++i) {
    const std::size_t comma = head.find(',');
    subscripts.inputs.push_back(input_labels(head.substr(0, comma), ndims[i], i));
    head.remove_prefix(std::min(comma, head.size() - 1) + 1);
  }
  subscripts.output = arrow == std::string::npos
                          ? implied_output(subscripts.inputs)
                          : output_labels(std::string_view(text).substr(arrow + 2), subscripts.inputs);
  return subscripts;
}

}  // namespace cuprum::ops

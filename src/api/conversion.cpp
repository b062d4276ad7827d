#include "cuprum/conversion.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "api/handle.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "ops/creation.h"
#include "ops/manipulate.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

bool lies_in(char order, const Array& a) {
  if (order == 'C') return a.c_contiguous();
  if (order == 'F') return a.f_contiguous();
  return order == 'K' || a.c_contiguous() || a.f_contiguous();
}

/// The elements that bytes are, in NumPy's words where they are too few.
array from_bytes(std::span<const std::byte> bytes, dtype type, const bytes_options& o, const char* function) {
  const std::string prefix = std::string("cuprum.") + function + ": ";
  if (o.offset < 0 || o.offset > static_cast<std::int64_t>(bytes.size())) {
    throw ValueError(prefix + "offset must be non-negative and no greater than buffer length (" +
                     std::to_string(bytes.size()) + ")");
  }
  const std::span<const std::byte> rest = bytes.subspan(static_cast<std::size_t>(o.offset));
  const std::size_t size = itemsize(type);
  if (o.count < 0 && rest.size() % size != 0)
    throw ValueError(prefix + "buffer size must be a multiple of element size");
  const std::int64_t there = static_cast<std::int64_t>(rest.size() / size);
  if (o.count > there) throw ValueError(prefix + "buffer is smaller than requested size");
  const Array made = ops::empty(Dims{o.count < 0 ? there : o.count}, type, 'C', default_backend());
  if (made.size() != 0) upload(made, rest.data());
  return array(made);
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  return text.substr(static_cast<std::size_t>(
      std::distance(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank))));
}

/// What is left of `text` behind a separator; nothing: it does not begin with one.
std::optional<std::string_view> behind_separator(std::string_view text, std::string_view sep) {
  for (const char c : sep) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      text = without_blanks(text);
    } else if (!text.empty() && text[0] == c) {
      text.remove_prefix(1);
    } else {
      return std::nullopt;
    }
  }
  return text;
}

/// The numbers of a text, by a function of C that reads one of them.
template <class T, class Read>
std::vector<T> numbers_of(std::string_view all, std::string_view sep, Read read) {
  std::vector<T> numbers;
  for (std::string_view text = without_blanks(all); !text.empty();) {
    const std::string rest(text.substr(0, 400));  // no number is longer
    char* end = nullptr;
    const T value = read(rest.c_str(), &end);
    const auto used = static_cast<std::size_t>(end - rest.c_str());
    const auto next = used == 0 ? std::nullopt : std::optional(without_blanks(text.substr(used)));
    if (next) numbers.push_back(value);
    const auto behind = next && !next->empty() ? behind_separator(*next, sep) : next;
    if (!behind) {
      throw ValueError(
          "cuprum.fromstring: string or file could not be read to its end due to unmatched data");
    }
    text = without_blanks(*behind);
  }
  return numbers;
}

}  // namespace

array asarray(const array& a, std::optional<dtype> type, char order) {
  const dtype to = type.value_or(a.type());
  if (to == a.type() && lies_in(order, of(a))) return a;
  return array(record_copy(of(a), to, order == 'A' ? 'K' : order));
}
array ascontiguousarray(const array& a, std::optional<dtype> type) {
  return array(ops::atleast(of(asarray(a, type, 'C')), 1));
}
array asfortranarray(const array& a, std::optional<dtype> type) {
  return array(ops::atleast(of(asarray(a, type, 'F')), 1));
}

array frombuffer(std::span<const std::byte> buffer, dtype type, const bytes_options& options) {
  return from_bytes(buffer, type, options, "frombuffer");
}
array fromfile(const std::string& path, dtype type, const bytes_options& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ValueError("cuprum.fromfile: cannot open '" + path + "'");
  const std::vector<char> content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t size = content.size(),
                    before = static_cast<std::size_t>(std::max<std::int64_t>(options.offset, 0));
  const std::size_t surplus =
      before < size ? (size - before) % itemsize(type) : 0;  // bytes that are no element
  return from_bytes(std::as_bytes(std::span(content).first(size - surplus)), type, options, "fromfile");
}
array fromstring(std::string_view text, std::string_view sep, dtype type) {
  if (is_complex(type) || is_bool(type))
    throw TypeError(std::string("cuprum.fromstring: numbers of dtype ") + name(type) +
                    " are not read from text");
  const auto whole = [](const char* from, char** end) -> std::int64_t { return std::strtoll(from, end, 10); };
  const auto real = [](const char* from, char** end) { return std::strtod(from, end); };
  return is_integer(type) ? array(numbers_of<std::int64_t>(text, sep, whole)).astype(type)
                          : array(numbers_of<double>(text, sep, real)).astype(type);
}

}  // namespace cuprum

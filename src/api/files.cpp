#include "cuprum/files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "api/handle.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "ops/creation.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

// -- .npy: a magic word, a version, a header that is a Python dictionary, the elements -------------------

constexpr std::string_view kMagic = "\x93NUMPY";

// The types that NumPy has names for in files; bfloat16 has none.
struct FileType {
  dtype type;
  const char* text;
};
constexpr FileType kTypes[] = {{dtype::bool_, "|b1"},     {dtype::int8, "|i1"},       {dtype::int16, "<i2"},
                               {dtype::int32, "<i4"},     {dtype::int64, "<i8"},      {dtype::uint8, "|u1"},
                               {dtype::uint16, "<u2"},    {dtype::uint32, "<u4"},     {dtype::uint64, "<u8"},
                               {dtype::float16, "<f2"},   {dtype::float32, "<f4"},    {dtype::float64, "<f8"},
                               {dtype::complex64, "<c8"}, {dtype::complex128, "<c16"}};

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw ValueError("cuprum.load: " + path + ": " + what);
}

void write_npy(std::ostream& out, const array& a) {
  const char* type = nullptr;
  for (const FileType& t : kTypes)
    if (t.type == a.type()) type = t.text;
  if (!type)
    throw TypeError(std::string("cuprum.save: NumPy's files have no ") + name(a.type()) +
                    "; write a.astype(...)");
  std::string shape = "(";
  for (const std::int64_t n : a.shape()) shape += std::to_string(n) + ", ";
  if (a.ndim() > 1) shape.resize(shape.size() - 2);
  if (a.ndim() == 1) shape.pop_back();
  std::string header =
      std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + "), }";
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64,
                ' ');  // the elements begin at a multiple of 64 bytes
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  out << kMagic << '\x01' << '\0' << static_cast<char>(length & 0xff) << static_cast<char>(length >> 8)
      << header;
  std::string bytes(a.nbytes(), '\0');
  copy_to_host(a.implementation(), bytes.data());
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The text behind `'key':` in the header.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& path) {
  const std::size_t at = header.find("'" + std::string(key) + "'");
  const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) refuse(path, "its header has no " + std::string(key));
  return header.substr(header.find_first_not_of(' ', colon + 1));
}

array read_npy(std::string_view bytes, const std::string& path) {
  if (bytes.size() < 10 || !bytes.starts_with(kMagic)) refuse(path, "this is no .npy file");
  const int version = bytes[6];
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t begin = version == 1 ? 10 : 12;
  if (bytes.size() < begin) refuse(path, "it ends within its header");
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (bytes.size() - begin < length) refuse(path, "it ends within its header");
  const std::string_view header = bytes.substr(begin, length);
  const std::string_view descr = value_of(header, "descr", path);
  const FileType* type = nullptr;
  for (const FileType& t : kTypes)
    if (descr.size() > 1 && descr.substr(1).starts_with(std::string(t.text) + descr[0])) type = &t;
  if (!type)
    refuse(path, "its elements are of type " + std::string(descr.substr(0, descr.find(','))) +
                     ", which has no dtype here");
  const bool fortran = value_of(header, "fortran_order", path).starts_with("True");
  std::string_view text = value_of(header, "shape", path);
  text = text.substr(0, text.find(')'));
  Dims shape;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] < '0' || text[i] > '9') {
      ++i;
      continue;
    }
    std::int64_t n = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, text[i] - '0', &n))
        refuse(path, "its shape is beyond any memory");
    shape.push_back(n);
  }
  if (fortran) std::reverse(shape.begin(), shape.end());
  Array a = ops::empty(shape, type->type, 'C', default_backend());
  if (bytes.size() - begin - length < a.nbytes()) refuse(path, "it has fewer elements than its shape says");
  upload(a, bytes.data() + begin + length);
  return fortran ? array(std::move(a)).transpose() : array(std::move(a));
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cuprum.load: " + path + " cannot be opened");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

void write_file(const std::string& path, const std::string& bytes, const char* function) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw Error(std::string("cuprum.") + function + ": " + path + " cannot be written");
}

// -- .npz: a ZIP archive of .npy files -------------------------------------------------------------------

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      t[i] = i;
      for (int k = 0; k < 8; ++k) t[i] = t[i] & 1 ? 0xedb88320u ^ (t[i] >> 1) : t[i] >> 1;
    }
    return t;
  }();
  std::uint32_t c = ~0u;
  for (const char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 0xff] ^ (c >> 8);
  return ~c;
}

/// A number of at most eight bytes.
void put(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> 8 * i & 0xff);
}

/// `count` bytes of the archive.
std::string_view part(std::string_view archive, std::size_t at, std::size_t count, const std::string& path) {
  if (at > archive.size() || archive.size() - at < count) refuse(path, "the archive is cut short");
  return archive.substr(at, count);
}

/// A number of at most eight bytes.
std::uint64_t get(std::string_view archive, std::size_t at, std::size_t count, const std::string& path) {
  const std::string_view bytes = part(archive, at, count, path);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i)
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  return number;
}

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint64_t kMost = 0xffffffff;  // sizes of an archive without 64-bit fields

// What a file's entry says in both places: version, flags, stored, no date, checksum, sizes.
void put_entry(std::string& out, std::uint32_t checksum, std::uint64_t size, std::size_t name) {
  put(out, 20, 2);
  put(out, 0, 2);
  put(out, 0, 2);
  put(out, 0, 2);
  put(out, 0x21, 2);  // the first of January 1980
  put(out, checksum, 4);
  put(out, size, 4);
  put(out, size, 4);
  put(out, name, 2);
  put(out, 0, 2);
}

}  // namespace

void save(const std::string& path, const array& a) {
  std::ostringstream out;
  write_npy(out, a);
  write_file(path, std::move(out).str(), "save");
}

array load(const std::string& path) { return read_npy(read_file(path), path); }

void savez(const std::string& path, const std::map<std::string, array>& arrays) {
  std::string archive, directory;
  for (const auto& [key, a] : arrays) {
    std::ostringstream out;
    write_npy(out, a);
    const std::string bytes = std::move(out).str(), name = key + ".npy";
    const std::uint64_t at = archive.size();
    if (at + bytes.size() > kMost - (1 << 20))
      throw ValueError("cuprum.savez: " + path +
                       " would be larger than 4 GiB; write one file per array by save");
    const std::uint32_t checksum = crc32(bytes);
    put(archive, kLocal, 4);
    put_entry(archive, checksum, bytes.size(), name.size());
    archive += name + bytes;
    put(directory, kCentral, 4);
    put(directory, 20, 2);
    put_entry(directory, checksum, bytes.size(), name.size());
    put(directory, 0, 4);  // no comment, disk 0
    put(directory, 0, 6);  // no attributes
    put(directory, at, 4);
    directory += name;
  }
  const std::uint64_t at = archive.size();
  archive += directory;
  put(archive, kEnd, 4);
  put(archive, 0, 4);
  put(archive, arrays.size(), 2);
  put(archive, arrays.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, at, 4);
  put(archive, 0, 2);
  write_file(path, archive, "savez");
}

std::map<std::string, array> load_npz(const std::string& path) {
  const std::string bytes = read_file(path);
  std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == std::string::npos) refuse(path, "this is no .npz file");
  const std::uint64_t count = get(bytes, end + 10, 2, path);
  std::size_t at = get(bytes, end + 16, 4, path);
  std::map<std::string, array> arrays;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (get(bytes, at, 4, path) != kCentral) refuse(path, "its directory is not one of a ZIP archive");
    const std::uint64_t method = get(bytes, at + 10, 2, path), size = get(bytes, at + 24, 4, path),
                        length = get(bytes, at + 28, 2, path), local = get(bytes, at + 42, 4, path);
    std::string name(part(bytes, at + 46, length, path));
    if (method != 0) refuse(path, name + " is compressed; write it by numpy.savez");
    if (size == kMost || local == kMost) refuse(path, name + " is larger than 4 GiB; write it by numpy.save");
    const std::size_t data = local + 30 + get(bytes, local + 26, 2, path) + get(bytes, local + 28, 2, path);
    const std::string_view file = part(bytes, data, size, path);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    arrays.insert_or_assign(name, read_npy(file, path));
    at += 46 + length + get(bytes, at + 30, 2, path) + get(bytes, at + 32, 2, path);
  }
  return arrays;
}

}  // namespace cuprum

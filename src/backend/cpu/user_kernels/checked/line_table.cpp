#include "backend/cpu/user_kernels/checked/line_table.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace cuprum::cpu {

namespace {

/// The text of a program, or one that it includes by a path of its own; not the language's and the system's headers.
bool is_own(const std::string& file) {
  return !file.empty() && !file.starts_with("headers/") && !file.starts_with("/usr/");
}

}  // namespace

/// Numbers, one after the other; zeros behind the end.
class LineTable::Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return at_ >= bytes_.size(); }
  Reader part(std::uint64_t size) {
    Reader result(bytes_.substr(std::min<std::uint64_t>(at_, bytes_.size()), size));
    at_ += size;
    return result;
  }
  template <class T>
  T fixed() {
    T value{};
    if (at_ + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  std::int64_t signed_leb() {
    const std::uint64_t before = at_;
    const std::uint64_t value = leb();
    const std::uint64_t bits = 7 * (at_ - before);
    return bits < 64 && (value >> (bits - 1) & 1)
               ? static_cast<std::int64_t>(value | ~std::uint64_t{0} << bits)
               : static_cast<std::int64_t>(value);
  }
  std::string text() {
    std::string result;
    while (const char c = fixed<char>()) result += c;
    return result;
  }

 private:
  std::string_view bytes_;
  std::uint64_t at_ = 0;
};

LineTable::LineTable(std::string_view image) {
  Reader reader(image);
  const auto header = reader.fixed<ElfW(Ehdr)>();
  const auto section = [&](std::uint64_t i) {
    return Reader(
               image.substr(std::min<std::uint64_t>(header.e_shoff + i * sizeof(ElfW(Shdr)), image.size())))
        .fixed<ElfW(Shdr)>();
  };
  const auto bytes = [&](const ElfW(Shdr) & s) {
    return image.substr(std::min<std::uint64_t>(s.sh_offset, image.size()), s.sh_size);
  };
  const std::string_view names = bytes(section(header.e_shstrndx));
  std::vector<Row> rows;
  std::vector<Function> functions;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const ElfW(Shdr) s = section(i);
    const std::string name = Reader(names.substr(std::min<std::uint64_t>(s.sh_name, names.size()))).text();
    if (name == ".debug_line") rows = read_rows(bytes(s));
    if (s.sh_type != SHT_SYMTAB) continue;
    for (Reader symbols(bytes(s)); !symbols.done();) {
      const auto symbol = symbols.fixed<ElfW(Sym)>();
      if ((symbol.st_info & 0xf) == STT_FUNC && symbol.st_size != 0)
        functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }
  number(std::move(rows), std::move(functions));
}

std::vector<LineTable::Row> LineTable::read_rows(std::string_view table) {
  std::vector<Row> rows;
  for (Reader units(table); !units.done();) {
    std::uint64_t length = units.fixed<std::uint32_t>();
    const bool wide = length == 0xffffffffu;  // 64-bit DWARF
    if (wide) length = units.fixed<std::uint64_t>();
    read_unit(units.part(length), wide, rows);
  }
  return rows;
}

/// The header of a unit, and its program, which makes the rows.
void LineTable::read_unit(Reader unit, bool wide, std::vector<Row>& rows) {
  const auto version = unit.fixed<std::uint16_t>();
  if (version < 2 || version > 4) return;
  Reader head = unit.part(wide ? unit.fixed<std::uint64_t>() : unit.fixed<std::uint32_t>());
  const auto step = head.fixed<std::uint8_t>();
  if (version == 4)
    head.fixed<std::uint8_t>();  // operations of an instruction: more than one on no machine of ours
  head.fixed<std::uint8_t>();    // whether rows begin statements
  const auto line_base = head.fixed<std::int8_t>();
  const auto line_range = std::max<std::uint8_t>(head.fixed<std::uint8_t>(), 1),
             first_special = head.fixed<std::uint8_t>();
  std::vector<std::uint8_t> operands{0};
  for (unsigned i = 1; i < first_special; ++i) operands.push_back(head.fixed<std::uint8_t>());
  std::vector<std::string> folders{""};
  for (std::string folder = head.text(); !folder.empty(); folder = head.text())
    folders.push_back(folder + "/");
  const auto first_file = static_cast<std::uint32_t>(files_.size());
  for (std::string file = head.text(); !file.empty(); file = head.text()) {
    const std::uint64_t folder = head.leb();
    head.leb();  // its time
    head.leb();  // its length
    files_.push_back((folder < folders.size() ? folders[folder] : "") + file);
  }

  Row row{0, first_file, 1};
  const auto emit = [&](std::uint32_t file) {
    rows.push_back({row.address, file < files_.size() ? file : 0, row.line});
  };
  while (!unit.done()) {
    const auto op = unit.fixed<std::uint8_t>();
    if (op >= first_special) {
      row.address += (op - first_special) / line_range * step;
      row.line += line_base + (op - first_special) % line_range;
      emit(row.file);
    } else if (op == 0) {
      Reader extended = unit.part(unit.leb());
      const auto what = extended.fixed<std::uint8_t>();
      if (what == 1) {  // the end of a sequence
        emit(0);
        row = {0, first_file, 1};
      } else if (what == 2) {
        row.address = extended.fixed<std::uint64_t>();
      }
    } else if (op == 1) {
      emit(row.file);
    } else if (op == 2) {
      row.address += unit.leb() * step;
    } else if (op == 3) {
      row.line += static_cast<int>(unit.signed_leb());
    } else if (op == 4) {
      row.file = first_file + static_cast<std::uint32_t>(unit.leb()) - 1;
    } else if (op == 8) {
      row.address += (255 - first_special) / line_range * step;
    } else if (op == 9) {
      row.address += unit.fixed<std::uint16_t>();
    } else {
      for (unsigned i = 0; i < operands[op]; ++i) unit.leb();
    }
  }
}

/// Within a function, rows of headers take the line before them: there the call stands in whose place they are.
void LineTable::number(std::vector<Row> rows, std::vector<Function> functions) {
  std::erase_if(rows,
                [](const Row& row) { return row.address == 0; });  // of functions that the linker left out
  if (rows.empty()) return;
  std::ranges::stable_sort(rows, {}, &Row::address);
  std::ranges::sort(functions, {}, &Function::begin);
  begin_ = rows.front().address;
  numbers_.resize(rows.back().address - begin_);
  std::map<std::pair<std::uint32_t, int>, std::uint32_t> known;
  std::uint32_t before = 0;
  auto function = functions.begin();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const Row& row = rows[i];
    for (; function != functions.end() && function->begin <= row.address; ++function) before = 0;
    if (row.file == 0) continue;
    if (is_own(files_[row.file])) {
      const auto [found, is_new] =
          known.try_emplace({row.file, row.line}, static_cast<std::uint32_t>(lines_.size()));
      if (is_new) lines_.push_back({files_[row.file], row.line});
      before = found->second;
    }
    std::fill(numbers_.begin() + static_cast<std::ptrdiff_t>(row.address - begin_),
              numbers_.begin() + static_cast<std::ptrdiff_t>(rows[i + 1].address - begin_), before);
  }
}

}  // namespace cuprum::cpu

#include "backend/cpu/user_kernels/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

/// A path of an open file that no load before had: the loader knows libraries by their paths, and numbers of files come again.
/// "/" and "./" between the names of a path mean nothing: they spell a number.
std::string unused_path(int file) {
  static std::atomic<std::uint32_t> loads{0};
  std::string path = "/proc/self/fd/";
  for (std::uint32_t n = loads.fetch_add(1) + 1; n != 0; n /= 2) path += n % 2 ? "./" : "/";
  return path + std::to_string(file);
}

void* load(std::string_view image) {
  const int file = ::memfd_create("cuprum_kernels", MFD_CLOEXEC);
  if (file < 0) throw CompileError("cuprum: no memory file for compiled kernels");
  std::size_t done = 0;
  while (done < image.size()) {
    const ssize_t written = ::write(file, image.data() + done, image.size() - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  void* library = done == image.size() ? ::dlopen(unused_path(file).c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  const char* problem = library ? nullptr : ::dlerror();
  const std::string text = problem ? problem : "the memory file cannot be written";
  ::close(file);
  if (!library) throw CompileError("cuprum: compiled kernels cannot be loaded: " + text);
  return library;
}

/// The `index`-th T of a table at `offset`; false where the image ends before.
template <class T>
bool read(std::string_view image, std::uint64_t offset, std::uint64_t index, T& value) {
  const std::uint64_t at = offset + index * sizeof(T);
  if (at > image.size() || image.size() - at < sizeof(T)) return false;
  std::memcpy(&value, image.data() + at, sizeof(T));
  return true;
}

}  // namespace

LoadedImage::LoadedImage(std::string_view image) : library_(load(image)) { read_symbols(image); }

void* LoadedImage::find(const char* name) const { return ::dlsym(library_, name); }

void LoadedImage::read_symbols(std::string_view image) {
  link_map* map = nullptr;
  ElfW(Ehdr) header;
  if (::dlinfo(library_, RTLD_DI_LINKMAP, &map) != 0 || !read(image, 0, 0, header)) return;
  ElfW(Shdr) section, strings;
  for (unsigned s = 0; s < header.e_shnum; ++s) {
    if (!read(image, header.e_shoff, s, section) || section.sh_type != SHT_SYMTAB) continue;
    if (!read(image, header.e_shoff, section.sh_link, strings)) continue;
    ElfW(Sym) symbol;
    for (std::uint64_t i = 0; i < section.sh_size / sizeof symbol; ++i) {
      if (!read(image, section.sh_offset, i, symbol) || symbol.st_shndx == SHN_UNDEF) continue;
      const std::uint64_t at = strings.sh_offset + symbol.st_name;
      if (at >= image.size()) continue;
      const std::string name(image.data() + at, ::strnlen(image.data() + at, image.size() - at));
      const int type = symbol.st_info & 0xf;
      if (type == STT_OBJECT)
        variables_[name] = {reinterpret_cast<std::byte*>(map->l_addr + symbol.st_value), symbol.st_size};
      else if (type == STT_TLS)
        thread_variables_[name] = symbol.st_size;
    }
  }
}

}  // namespace cuprum::cpu

#include "runtime/private_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace cuprum {

namespace {

/// An open file, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

bool others_write(const struct stat& about) { return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Reads or writes `bytes` by `step`, which may move fewer at a time. False: less than all.
template <class Step>
bool move_all(std::size_t bytes, Step step) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t moved = step(done, bytes - done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

bool write_all(int file, std::string_view text) {
  return move_all(text.size(),
                  [&](std::size_t at, std::size_t left) { return ::write(file, text.data() + at, left); });
}

/// Makes the folder and what is missing above it, for this user alone.
void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
}

/// A name that no other process takes, wherever it runs: processes in containers share their numbers.
std::string unused_name(const std::string& name) {
  std::uint64_t number =
      static_cast<std::uint64_t>(PrivateFolder::now()) ^ static_cast<std::uint64_t>(::getpid()) << 40;
  [[maybe_unused]] const ssize_t got = ::getrandom(&number, sizeof number, GRND_NONBLOCK);
  char end[24];
  std::snprintf(end, sizeof end, ".%016llx", static_cast<unsigned long long>(number));
  return name + end + PrivateFolder::kUnfinished;
}

}  // namespace

PrivateFolder::PrivateFolder(const std::string& path, bool make) {
  if (make) make_folders(path);
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder < 0) {
    if (errno != ENOENT) problem_ = path + " cannot be opened (" + std::strerror(errno) + ")";
    return;
  }
  struct stat about;
  if (::fstat(folder, &about) != 0) {
    problem_ = path + " cannot be opened (" + std::strerror(errno) + ")";
  } else if (about.st_uid != ::geteuid()) {
    problem_ = path + " belongs to another user; set CUPRUM_CACHE_DIR to a folder of your own";
  } else if (others_write(about)) {
    problem_ = "others can write to " + path + "; write chmod 700 " + path;
  } else {
    file_ = folder.release();
  }
}

PrivateFolder::~PrivateFolder() {
  if (file_ >= 0) ::close(file_);
}

std::optional<std::string> PrivateFolder::read(const std::string& name, std::uint64_t most) const {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const Descriptor file(::openat(file_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about;
  if (file < 0 || ::fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid() ||
      others_write(about) || static_cast<std::uint64_t>(about.st_size) > most) {
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  const auto step = [&](std::size_t at, std::size_t left) { return ::read(file, text.data() + at, left); };
  if (!move_all(text.size(), step)) return std::nullopt;
  ::futimens(file, nullptr);
  return text;
}

bool PrivateFolder::write(const std::string& name, std::string_view text) const {
  const std::string unfinished = unused_name(name);
  bool done = false;
  {
    const Descriptor file(
        ::openat(file_, unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file < 0) return false;
    done = write_all(file, text);
  }
  done = done && ::renameat(file_, unfinished.c_str(), file_, name.c_str()) == 0;
  if (!done) remove(unfinished);
  return done;
}

void PrivateFolder::remove(const std::string& name) const { ::unlinkat(file_, name.c_str(), 0); }

void PrivateFolder::list(const std::function<void(const File&)>& see) const {
  const int again = ::openat(file_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* folder = again < 0 ? nullptr : ::fdopendir(again);
  if (!folder) {
    if (again >= 0) ::close(again);
    return;
  }
  while (const dirent* entry = ::readdir(folder)) {
    struct stat about;
    if (::fstatat(file_, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
      continue;
    see({entry->d_name, static_cast<std::uint64_t>(about.st_size), nanoseconds(about.st_mtim)});
  }
  ::closedir(folder);
}

std::int64_t PrivateFolder::now() {
  timespec time;
  ::clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

std::string save_in_temporary_folder(const std::string& prefix, const std::string& suffix,
                                     std::string_view text) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = (folder && *folder ? std::string(folder) : "/tmp") + "/" + prefix + "_XXXXXX" + suffix;
  const Descriptor file(::mkostemps(path.data(), static_cast<int>(suffix.size()), O_CLOEXEC));
  return file >= 0 && write_all(file, text) ? path : std::string();
}

}  // namespace cuprum

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a fuzz target without a fuzzer: over every input given, then over mutations of them.
//
//   fuzz_<name> [--mutations N] [--seed S] [FILE|DIRECTORY]...
//
// Invariants
//  1. Equal arguments and equal files give equal inputs in equal order, on every machine: the
//     generator is a standard one, distributions (which are not) are avoided, directories sorted.
//  2. An input that brings the target down can be had again: its bytes are written to
//     the file `fuzz_<name>.input` in the current directory before the target sees it.
//  3. Without any input the mutations start from the empty one.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

// The name is libFuzzer's; it has no header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Input = std::vector<std::uint8_t>;

constexpr std::size_t kMaxInput = 64 * 1024;
constexpr int kExitUsage = 64;

struct Arguments {
  unsigned long mutations = 0;
  unsigned long seed = 0;
  std::vector<fs::path> paths;
};

unsigned long number(std::string_view option, std::string_view text) {
  unsigned long value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) {
    throw std::invalid_argument(std::string(option) + " takes a number");
  }
  return value;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--mutations") {
      arguments.mutations = number(word, next);
      ++i;
    } else if (word == "--seed") {
      arguments.seed = number(word, next);
      ++i;
    } else {
      arguments.paths.emplace_back(word);
    }
  }
  return arguments;
}

Input read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return Input(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// The files named, directories replaced by the files below them. A missing path gives nothing.
std::vector<fs::path> expand(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (fs::is_regular_file(path)) files.push_back(path);
    if (!fs::is_directory(path)) continue;
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

class Mutator {
 public:
  Mutator(unsigned long seed, const std::vector<Input>& seeds) : random_(seed), seeds_(seeds) {}

  Input next() {
    Input input = pick(seeds_);
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) edit(input);
    if (input.size() > kMaxInput) input.resize(kMaxInput);
    return input;
  }

 private:
  // The bias of the remainder is no matter here; that it is the same everywhere is.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(below(256)); }
  template <class Container>
  const typename Container::value_type& pick(const Container& from) {
    return from[below(from.size())];
  }

  /// Half-open range of positions in `input`, at most 32 long, possibly empty.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> range(const Input& input) {
    const std::size_t begin = below(input.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(32, input.size() - begin) + 1);
    return {static_cast<std::ptrdiff_t>(begin), static_cast<std::ptrdiff_t>(begin + length)};
  }

  void edit(Input& input) {
    // Bytes that text formats give a meaning to, beside the extremes.
    static constexpr std::array<std::uint8_t, 16> kTelling = {
        0, 9, 10, 32, '"', '#', '(', ')', '-', '0', '9', '[', ']', '{', '}', 0xff};
    const auto [begin, end] = range(input);
    switch (below(6)) {
      case 0:
        if (!input.empty()) input[below(input.size())] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        if (!input.empty()) input[below(input.size())] = byte();
        break;
      case 2:
        input.insert(input.begin() + begin, pick(kTelling));
        break;
      case 3:
        input.erase(input.begin() + begin, input.begin() + end);
        break;
      case 4: {
        const Input copy(input.begin() + begin, input.begin() + end);
        input.insert(input.begin() + range(input).first, copy.begin(), copy.end());
        break;
      }
      default: {
        const Input& other = pick(seeds_);
        const auto [from, to] = range(other);
        input.insert(input.begin() + begin, other.begin() + from, other.begin() + to);
        break;
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<Input>& seeds_;
};

void run(const fs::path& copy, const Input& input) {
  {
    std::ofstream file(copy, std::ios::binary | std::ios::trunc);
    for (const std::uint8_t value : input) file.put(static_cast<char>(value));
  }
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  std::vector<Input> seeds;
  try {
    arguments = parse(argc, argv);
    for (const fs::path& path : expand(arguments.paths)) seeds.push_back(read(path));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitUsage;
  }

  // Outside the try block: an exception that leaves the target is a finding.
  const fs::path copy = fs::path(argv[0]).filename().concat(".input");
  const std::size_t files = seeds.size();
  for (const Input& input : seeds) run(copy, input);
  if (seeds.empty()) seeds.emplace_back();
  Mutator mutator(arguments.seed, seeds);
  for (unsigned long i = 0; i < arguments.mutations; ++i) run(copy, mutator.next());
  fs::remove(copy);
  std::printf("%zu inputs and %lu mutations\n", files, arguments.mutations);
  return EXIT_SUCCESS;
}

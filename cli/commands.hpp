// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands, after their options have been parsed. Each returns the exit code, or throws
// Failure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/names.hpp"
#include "cli/streams.hpp"

namespace futexmc::cli {

/// Limits as written on the command line; empty: the command's default.
struct LimitOptions {
  std::string max_states;
  std::string max_time;
  std::string max_memory;
};

struct ListOptions {
  std::string kind;
  Format format = Format::text;
};
/// What can be listed: "kernels", "patches", ...
const Names& list_kinds();
int list(const ListOptions& options, Streams& streams);

struct CheckOptions {
  Names scenarios;
  std::string kernel;
  Names patches;
  Names knockouts;
  Names properties;
  std::string search = "dfs";
  std::string memory = "sc";
  bool no_reduction = false;
  bool audit = false;
  bool stop_at_first = false;
  bool new_only = false;  ///< what the kernel alone violates does not count
  LimitOptions limits;
  std::string trace_dir;
  std::string expect;
  Format format = Format::text;
  bool quiet = false;
  std::string jobs;
};
int check(const CheckOptions& options, Streams& streams);

/// As for a check, and how to sample; numbers as written, empty: the default.
struct SampleOptions {
  CheckOptions check;
  std::string scheduler = "pct";
  std::string depth;
  std::string runs;
  std::string seed;
  std::string max_steps;
};
int sample(const SampleOptions& options, Streams& streams);

struct MatrixOptions {
  Names rows;
  Names scenarios;  ///< all by default
  std::string memory = "sc";
  bool proofs = false;  ///< also prove the default theorems on each row
  LimitOptions limits;
  Format format = Format::text;
  bool quiet = false;
  std::string jobs;
};
int matrix(const MatrixOptions& options, Streams& streams);

struct ProveOptions {
  std::string kernel;
  Names patches;
  Names knockouts;
  Names theorems;  ///< the default set if empty
  bool deep = false;
  bool new_only = false;  ///< what is refuted of the kernel alone does not count
  std::string max_time;  ///< of one theorem, as written; empty: the default
  std::string litmus;    ///< directory for litmus tests; empty: none are written
  Format format = Format::text;
};
int prove(const ProveOptions& options, Streams& streams);

struct DiffOptions {
  Names scenarios;  ///< all by default
  std::string kernel;
  Names patches;
  Names knockouts;
  std::string against;  ///< a variant's name; by default the kernel alone
  std::string memory = "sc";  ///< of both
  LimitOptions limits;
  std::string trace_dir;
  Format format = Format::text;
  bool quiet = false;
  std::string jobs;
};
int diff(const DiffOptions& given, Streams& streams);

/// --kernel and --patch replace the trace's variant as a whole, --knockout alone its knock-outs.
struct ReplacedVariant {
  std::string kernel;
  Names patches;
  Names knockouts;  ///< "none" for an empty list
  std::string memory;  ///< the trace's if empty
};
struct ReplayOptions {
  Names traces;
  ReplacedVariant variant;
  Format format = Format::text;
};
int replay(const ReplayOptions& options, Streams& streams);

struct MinimizeOptions {
  std::string trace;
  std::string output;  ///< standard output if empty
  LimitOptions limits;
};
int minimize(const MinimizeOptions& options, Streams& streams);

int explain(const std::string& trace, Streams& streams);

}  // namespace futexmc::cli

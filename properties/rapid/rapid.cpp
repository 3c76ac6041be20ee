// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/rapid/rapid.hpp"

#include <fstream>

#include <fmt/format.h>

#include "checker/assert.hpp"
#include "checker/explain.hpp"
#include "properties/futex_program.hpp"
#include "properties/run.hpp"

namespace futexmc::properties::rapid {
namespace {

constexpr const char* kTitle = "A random program that RapidCheck shrank";

scenario::Scenario compile(const SmallProgram& program, const std::string& name) {
  auto parsed = scenario::parse(scenario_text(program, kTitle), name + ".futex");
  FUTEXMC_ASSERT(parsed, "a random program that does not compile");
  return std::move(*parsed.scenario);
}

/// One run of the suite: what has been seen so far. RapidCheck goes from a failure to a simpler
/// one until no step leads to another, so the failure seen last is the shrunk one.
class Suite {
 public:
  Suite(const model::Variant& variant, const RapidOptions& options)
      : variant_(variant), options_(options) {}

  void sample() {
    const SmallProgram program = *small_programs();
    const checker::Result result = search(program);
    if (!result.findings.empty()) {
      const checker::Finding& finding = result.findings.front();
      failure_ = {program, finding};
      RC_FAIL(finding.property + ": " + finding.message);
    }
    if (!failure_) ++(result.complete() ? outcome_.held : outcome_.inconclusive);
    if (!result.complete()) RC_DISCARD("inconclusive");
  }

  RapidOutcome finish(bool complete) {
    outcome_.complete = complete;
    if (failure_) outcome_.failure = tell();
    return std::move(outcome_);
  }

 private:
  struct Failing {
    SmallProgram program;
    checker::Finding finding;
  };

  checker::Result search(const SmallProgram& sample) const {
    const scenario::Scenario scenario = compile(sample, "rapid");
    FutexProgram program(scenario, variant_);
    if (failure_) program.select({failure_->finding.property});
    checker::Options options;
    options.stop_at_first = true;
    options.max_states = options_.max_states;
    return checker::depth_first(program, options);
  }

  RapidFailure tell() const {
    RapidFailure failure;
    failure.program = failure_->program;
    failure.text = scenario_text(failure.program, kTitle);
    failure.property = failure_->finding.property;
    failure.message = failure_->finding.message;
    failure.path = failure_->finding.path;
    const scenario::Scenario scenario = compile(failure.program, "rapid");
    checker::Options options;
    options.max_seconds = options_.trace_seconds;
    failure.trace = minimized_trace(scenario, variant_, failure_->finding, options);
    if (failure.trace) {
      FutexProgram program(scenario, variant_);
      failure.story = checker::explain(program, *failure.trace);
    }
    return failure;
  }

  const model::Variant& variant_;
  const RapidOptions& options_;
  RapidOutcome outcome_;
  std::optional<Failing> failure_;
};

/// RapidCheck's own progress goes nowhere: the outcome says it all.
class Silent final : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription& /*description*/) override {}
  void onShrinkTried(const rc::detail::CaseDescription& /*shrink*/, bool /*accepted*/) override {}
  void onTestFinished(const rc::detail::TestMetadata& /*metadata*/,
                      const rc::detail::TestResult& /*result*/) override {}
};

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out;
  out.exceptions(std::ios::failbit | std::ios::badbit);
  out.open(path);
  out << text;
  out.close();
}

}  // namespace

RapidOutcome run_rapid(const model::Variant& variant, const RapidOptions& options) {
  Suite suite(variant, options);
  rc::detail::TestParams params;
  params.seed = options.seed;
  params.maxSuccess = options.count;
  Silent listener;
  const auto result = rc::detail::checkProperty(rc::detail::toProperty([&] { suite.sample(); }),
                                                {"rapid", "rapid"}, params, listener);
  return suite.finish(result.is<rc::detail::SuccessResult>());
}

void write_failure(const RapidFailure& failure, const std::filesystem::path& directory,
                   const std::string& name) {
  write(directory / (name + ".futex"), failure.text);
  if (!failure.trace) return;
  checker::Trace trace = *failure.trace;
  trace.subject["scenario"] = name;
  write(directory / (name + ".json"), checker::write_trace(trace));
}

std::string describe(const RapidOutcome& outcome) {
  std::string text = fmt::format("{} samples hold, {} are inconclusive\n", outcome.held,
                                 outcome.inconclusive);
  if (!outcome.failure) return text;
  const RapidFailure& failure = *outcome.failure;
  return text + fmt::format("violated: {}: {}\n\n{}\n{}", failure.property, failure.message,
                            failure.text, failure.story);
}

}  // namespace futexmc::properties::rapid

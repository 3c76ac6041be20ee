// SPDX-License-Identifier: GPL-2.0-or-later
//
// Taking a JSON document apart without trusting it. Internal to the reader of traces.
#pragma once

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/trace.hpp"

namespace futexmc::checker {

using Json = nlohmann::ordered_json;

/// Collects the first complaint.
class Complaints {
 public:
  void add(std::string path, std::string message) {
    if (!error_.has_value()) error_ = TraceError{std::move(message), 0, 0, std::move(path)};
  }
  void add_at(std::string_view text, std::size_t offset, std::string message) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    if (error_.has_value()) return;
    error_ = TraceError{std::move(message), static_cast<std::size_t>(lines) + 1,
                        before.size() - line_start + 1, {}};
  }
  bool any() const { return error_.has_value(); }
  TraceError first() const { return *error_; }

 private:
  std::optional<TraceError> error_;
};

/// The members of one object, each asked for once; what was not asked for must not be there.
class Fields {
 public:
  Fields(const Json& json, std::string path, Complaints& complaints)
      : json_(json), path_(std::move(path)), complaints_(complaints) {
    if (!json.is_object()) complaints_.add(path_, expected("an object", json));
  }

  const Json* get(const char* key) {
    known_.insert(key);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  const Json* required(const char* key, Json::value_t type, const char* type_name) {
    const Json* const value = get(key);
    if (value == nullptr) complaints_.add(path_, fmt::format("\"{}\" is missing", key));
    if (value != nullptr && value->type() != type) {
      complaints_.add(at(key), expected(type_name, *value));
      return nullptr;
    }
    return value;
  }

  std::string text(const char* key, bool may_be_empty = false) {
    const Json* const value = required(key, Json::value_t::string, "a string");
    if (value == nullptr) return {};
    const auto& text = value->get_ref<const std::string&>();
    if (text.empty() && !may_be_empty) complaints_.add(at(key), "must not be empty");
    if (text.size() > kMaxTraceText) complaints_.add(at(key), "is too long");
    return text;
  }

  std::uint64_t number(const char* key, std::uint64_t max) {
    const Json* const value = required(key, Json::value_t::number_unsigned, "a whole number");
    if (value == nullptr) return 0;
    const auto number = value->get<std::uint64_t>();
    if (number > max) complaints_.add(at(key), fmt::format("{} is more than {}", number, max));
    return number;
  }

  std::string hash(const char* key) {
    std::string digits = text(key);
    const bool good = digits.size() == 32 && digits.find_first_not_of("0123456789abcdef") ==
                                                 std::string::npos;
    if (!good) complaints_.add(at(key), "must be 32 hexadecimal digits in lower case");
    return digits;
  }

  void nothing_else() {
    if (!json_.is_object()) return;
    for (const auto& [key, value] : json_.items()) {
      if (!known_.contains(key)) complaints_.add(path_, fmt::format("unknown field \"{}\"", key));
    }
  }

  std::string at(const char* key) const { return path_ + "." + key; }
  static std::string expected(const char* what, const Json& found) {
    const bool article = found.is_object() || found.is_array();
    const char* const type = found.is_number_integer() && !found.is_number_unsigned()
                                 ? "negative number" : found.type_name();
    return fmt::format("must be {}, is {}{}", what, found.is_null() ? "" : article ? "an " : "a ",
                       type);
  }

 private:
  const Json& json_;
  std::string path_;
  Complaints& complaints_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace futexmc::checker

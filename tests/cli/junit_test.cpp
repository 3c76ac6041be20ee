// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/junit.hpp"

#include <map>

#include "cli/check_document.hpp"
#include "cli/exit_codes.hpp"
#include "tests/cli/validating.hpp"

namespace futexmc::cli {
namespace {

class Junit : public Validating {
 protected:
  Ran junit(Arguments arguments) const {
    arguments.insert(arguments.end(), {"--format", "junit"});
    Ran ran = run_cli(arguments);
    const std::string file = write("document.xml", ran.out);
    expect_valid("xmllint --noout --schema " + schema("junit.xsd") + " " + file, ran.out);
    return ran;
  }
  /// What an XPath expression gives on the document.
  std::string xpath(const std::string& document, const std::string& expression) const {
    write("document.xml", document);
    const auto [code, text] =
        command("xmllint --xpath '" + expression + "' " + path("document.xml"));
    EXPECT_EQ(code, 0) << text;
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
};

TEST_F(Junit, Violated) {
  const Ran ran = junit(kViolated);
  EXPECT_EQ(ran.code, 13);
  EXPECT_EQ(xpath(ran.out, "string(/testsuites/testsuite/@name)"), "bucket-ref-draft-1");
  EXPECT_EQ(xpath(ran.out, "count(//testcase)"), std::to_string(property_names().size()));
  EXPECT_EQ(xpath(ran.out, "string(//testcase[failure]/@classname)"),
            "bucket-ref-draft-1.wake-global");
  EXPECT_EQ(xpath(ran.out, "string(//testcase[failure]/@name)"), "lifetime");
  EXPECT_EQ(xpath(ran.out, "string(//failure/@type)"), "lifetime");
  EXPECT_TRUE(contains(xpath(ran.out, "string(//failure/@message)"), "use after free of futex_"));
  const std::string story = xpath(ran.out, "string(//failure)");
  EXPECT_TRUE(contains(story, "\n[switcher] futex_hash_allocate()\n")) << story;
  EXPECT_TRUE(contains(story, "read(&fph0.mm)  <<< lifetime")) << story;
  EXPECT_EQ(xpath(ran.out, "string(//testcase[@name=\"reachability\"]/skipped/@message)"),
            "nothing to look at in this scenario");
}

TEST_F(Junit, CountsWhatItHas) {
  for (const Arguments& arguments : {kViolated, kInconclusive, kHolds}) {
    const std::string out = junit(arguments).out;
    for (const char* const element : {"testsuite", "testsuites"}) {
      for (const auto& [attribute, child] :
           std::map<std::string, std::string>{{"tests", "testcase"},
                                              {"failures", "failure"},
                                              {"errors", "error"},
                                              {"skipped", "skipped"}}) {
        if (attribute == "skipped" && std::string(element) == "testsuites") continue;
        EXPECT_EQ(xpath(out, "string(//" + std::string(element) + "/@" + attribute + ")"),
                  xpath(out, "count(//" + child + ")"))
            << element << " " << attribute;
      }
    }
  }
}

TEST_F(Junit, ALimitMakesErrorsAndNoPasses) {
  const Ran ran = junit(kInconclusive);
  EXPECT_EQ(ran.code, exit_code::kBound);
  const std::string cut = "//testcase[@classname=\"v7.3.wake-resize-twice\"]";
  EXPECT_EQ(xpath(ran.out, "count(" + cut + "[not(error)])"), "0");
  EXPECT_EQ(xpath(ran.out, "string(" + cut + "[1]/error/@type)"), "inconclusive");
  EXPECT_EQ(xpath(ran.out, "string(" + cut + "[1]/error/@message)"),
            "not searched to the end: --max-states was reached");
}

TEST_F(Junit, Holds) {
  const Ran ran = junit(kHolds);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(xpath(ran.out, "count(//failure | //error)"), "0");
  EXPECT_EQ(xpath(ran.out, "count(//skipped)"), "6");
  EXPECT_EQ(xpath(ran.out, "string(//property[@name=\"verdict\"]/@value)"), "holds");
}

TEST_F(Junit, TheSchemaRefusesWhatIsNot) {
  for (const char* const document : {"", "<testsuites/>", "<a>]]></a>"}) {
    EXPECT_NE(command("xmllint --noout --schema " + schema("junit.xsd") + " " +
                      write("document.xml", document))
                  .first,
              0);
  }
}

TEST_F(Junit, OnlyWhatWasCheckedIsACase) {
  const Ran ran = junit({"check", "wait-wake", "--property", "lifetime"});
  EXPECT_EQ(xpath(ran.out, "count(//testcase)"), "1");
}

TEST_F(Junit, AfterAFirstViolationTheOthersAreUndecided) {
  const Ran ran = junit({"check", write("sleeps.futex", kSleeps), "--stop-at-first"});
  EXPECT_EQ(ran.code, 11);
  EXPECT_EQ(xpath(ran.out, "count(//testcase[not(failure) and not(error)])"), "0");
  EXPECT_TRUE(contains(ran.out, "not searched to the end: --stop-at-first")) << ran.out;
}

TEST_F(Junit, MarkupInTextIsEscaped) {
  EXPECT_EQ(xml_text("a < b && c > d \"]]>\""), "a &lt; b &amp;&amp; c &gt; d &quot;]]&gt;&quot;");
  EXPECT_EQ(xml_text("one\n\ttwo"), "one\n\ttwo");
  const std::string instead = "\xEF\xBF\xBD";
  for (const char* const bad : {"\x01", "\x1B", "\x7F", "\r", "\xC2\x9B", "\xEF\xBF\xBF", "\xFF"}) {
    EXPECT_EQ(xml_text(bad + std::string("x")), instead + "x");
  }
  EXPECT_EQ(xml_text("\xC3\xA9\xE2\x82\xAC"), "\xC3\xA9\xE2\x82\xAC");

  const std::string file = write("a <b> & ]]>.futex", kMarkup);
  const Ran ran = junit({"check", file});
  EXPECT_EQ(xpath(ran.out, "string(//failure/@message)"), "finally (x < 1 && x > 2) is false");
  EXPECT_EQ(xpath(ran.out, "string(//testcase/@classname)"), "v7.3.a <b> & ]]>");
}

TEST_F(Junit, Matrix) {
  write("sleeps.futex", kSleeps);
  const Ran ran = junit({"matrix", "--row", "v7.3", "--row", "bucket-ref-draft-1", "--scenario",
                         "wake-global", "--scenario", path("sleeps.futex")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(xpath(ran.out, "count(//testsuite)"), "2");
  const std::string lifetime =
      "//testcase[@classname=\"bucket-ref-draft-1.matrix\" and @name=\"lifetime\"]";
  EXPECT_TRUE(contains(xpath(ran.out, "string(" + lifetime + "/failure/@message)"),
                       "wake-global: use after free of"));
  EXPECT_TRUE(contains(xpath(ran.out, "string(//testcase[@name=\"lost-wakeup\"]/failure)"),
                       "sleeps: t sleeps for ever"));
  EXPECT_EQ(xpath(ran.out, "string(//testcase[@name=\"condition\"]/skipped/@message)"), "");
  const Ran cut =
      junit({"matrix", "--row", "v7.3", "--scenario", "wake-resize-twice", "--max-states", "100"});
  EXPECT_EQ(xpath(cut.out, "count(//error[@type=\"inconclusive\"])"),
            std::to_string(property_names().size()));
}

TEST(CheckDocument, ACrashOrAFailedAuditIsAnInternalError) {
  CheckOutcome crashed{std::nullopt, "was killed by signal 11"};
  EXPECT_TRUE(undecided(crashed, false).internal_error);
  CheckOutcome audited;
  audited.report.emplace().scenario.result.audit_failures.push_back({"differs", {}});
  EXPECT_EQ(undecided(audited, false).reason, "internal error: audit: differs");
  CheckOutcome complete;
  complete.report.emplace();
  EXPECT_EQ(undecided(complete, true).reason, "");
}

}  // namespace
}  // namespace futexmc::cli

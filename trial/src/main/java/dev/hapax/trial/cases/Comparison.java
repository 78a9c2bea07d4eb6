package dev.hapax.trial.cases;

import dev.hapax.flow.Failure;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.trial.sandbox.SandboxFault;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares how a case ended with what it expects, in words for people. */
final class Comparison {
  private final TestCase testCase;
  private final Ending ending;
  private final List<String> differences = new ArrayList<>();

  Comparison(TestCase testCase, Ending ending) {
    this.testCase = testCase;
    this.ending = ending;
  }

  /** Returns the differences; each can have several lines. */
  List<String> differences() {
    Expectation expect = testCase.expect();
    if (expect == null) {
      differences.add(
          "the case expects nothing: add 'expect', or let --update write what happens now");
      return differences;
    }
    compareText("status", expect.status(), ending.status(), whyEnded());
    if (expect.error() != null) {
      Failure error = ending.error();
      compareText("error", expect.error(), error == null ? null : error.code(), whyEnded());
    }
    compareRefusal(expect);
    compareText("outcome", expect.outcome(), ending.outcome(), "");
    if (expect.hasOutput() && !isSame(expect.output(), ending.output())) {
      differences.add(
          "output: expected %s%n        got      %s"
              .formatted(shown(expect.output()), shown(ending.output())));
    }
    if (expect.sends() != null) {
      compareSends(expect.sends());
    }
    if (expect.applied() != null) {
      expect.applied().forEach(this::compareApplied);
    }
    if (expect.reviews() != null
        && !expect.reviews().stream().sorted().toList().equals(ending.reviews())) {
      differences.add("reviews: expected %s, got %s".formatted(expect.reviews(), ending.reviews()));
    }
    if (expect.history() != null) {
      compareHistory(expect.history());
    }
    if (expect.duplicates() != null && expect.duplicates() != ending.duplicates()) {
      differences.add(
          "duplicates: expected %d, got %d".formatted(expect.duplicates(), ending.duplicates()));
    }
    return differences;
  }

  private String whyEnded() {
    Failure error = ending.error();
    return error == null ? "" : " (%s: %s)".formatted(error.code(), error.message());
  }

  private void compareText(
      String what, @Nullable String expected, @Nullable String got, String more) {
    if (expected != null && !expected.equals(got)) {
      differences.add("%s: expected %s, got %s%s".formatted(what, expected, got, more));
    }
  }

  /** A start that is refused although the case does not expect it is always a difference. */
  private void compareRefusal(Expectation expect) {
    if (!Objects.equals(expect.refused(), ending.refused())) {
      differences.add(
          ending.refused() == null
              ? "refused: expected %s, but the start was accepted".formatted(expect.refused())
              : "refused: expected %s, got %s: %s"
                  .formatted(
                      expect.refused() == null ? "no refusal" : expect.refused(),
                      ending.refused(),
                      ending.refusal()));
    }
  }

  private void compareApplied(String step, Integer expected) {
    int got = ending.applied(step);
    if (expected != got) {
      differences.add("applied: expected %s %d times, got %d times".formatted(step, expected, got));
    }
  }

  private void compareSends(List<Expectation.Send> expected) {
    List<SandboxRequest> got = ending.sends();
    var diff = new ListDiff<>(expected, got, Comparison::matches, Comparison::line, SendText::line);
    if (!diff.isEmpty()) {
      differences.add("sends (- expected, + sent):\n" + diff.text("    ") + bodies(expected, got));
    }
  }

  /** Says why requests differ that look the same in one line. */
  private static String bodies(List<Expectation.Send> expected, List<SandboxRequest> got) {
    var text = new StringBuilder();
    for (int i = 0; i < Math.min(expected.size(), got.size()); i++) {
      Expectation.Send send = expected.get(i);
      if (send.body() != null
          && send.step().equals(got.get(i).from().step())
          && !isPartOf(send.body(), bodyOf(got.get(i)))) {
        text.append(
            "    body of %s: expected %s%n              got      %s%n"
                .formatted(send.step(), shown(send.body()), shown(bodyOf(got.get(i)))));
      }
    }
    return text.toString();
  }

  private static String line(Expectation.Send send) {
    return SendText.line(
        send.step(), send.item(), send.key(), send.applied(), send.method(), send.url());
  }

  private static boolean matches(Expectation.Send expected, SandboxRequest got) {
    return expected.step().equals(got.from().step())
        && TestCase.isItem(expected.item(), got.from().item())
        && (expected.key() == null || expected.key().equals(got.from().key()))
        && (expected.applied() == null || expected.applied() == got.times())
        && (expected.method() == null || expected.method().equals(got.method()))
        && (expected.url() == null || got.url().endsWith(expected.url()))
        && (expected.body() == null || isPartOf(expected.body(), bodyOf(got)));
  }

  private static @Nullable Object bodyOf(SandboxRequest request) {
    String body = request.body();
    try {
      return body == null ? null : Json.read(body, Object.class);
    } catch (NotSerializable e) {
      return body;
    }
  }

  /** Whether all members are there; other members do not matter. */
  private static boolean isPartOf(@Nullable Object expected, @Nullable Object got) {
    if (expected instanceof Map<?, ?> members && got instanceof Map<?, ?> all) {
      return members.entrySet().stream()
          .allMatch(
              member ->
                  all.containsKey(member.getKey())
                      && isPartOf(member.getValue(), all.get(member.getKey())));
    }
    if (expected instanceof List<?> some && got instanceof List<?> all) {
      if (some.size() != all.size()) {
        return false;
      }
      for (int i = 0; i < some.size(); i++) {
        if (!isPartOf(some.get(i), all.get(i))) {
          return false;
        }
      }
      return true;
    }
    return isSame(expected, got);
  }

  private static boolean isSame(@Nullable Object one, @Nullable Object other) {
    return canonical(one).equals(canonical(other));
  }

  private static String canonical(@Nullable Object value) {
    return value == null ? "null" : CanonicalJson.of(Json.write(value));
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "null" : Json.beginning(value, 2_000);
  }

  private void compareHistory(List<String> parts) {
    int from = 0;
    for (String part : parts) {
      int at = from;
      while (at < ending.history().size() && !ending.history().get(at).contains(part)) {
        at++;
      }
      if (at == ending.history().size()) {
        differences.add(
            "history: no line%s has '%s':\n%s"
                .formatted(
                    from == 0 ? "" : " after the one before", part, indented(ending.history())));
        return;
      }
      from = at + 1;
    }
  }

  private static String indented(List<String> lines) {
    var text = new StringBuilder();
    lines.forEach(line -> text.append("    ").append(line).append('\n'));
    return text.toString();
  }

  /** Requests as lines. */
  static final class SendText {
    private SendText() {}

    static String line(SandboxRequest got) {
      String fault = got.fault() == SandboxFault.NONE ? "" : ", " + got.fault().word();
      return line(
              got.from().step(),
              got.from().item(),
              got.from().key(),
              got.times(),
              got.method(),
              got.url())
          + fault;
    }

    static String line(
        String step,
        @Nullable String item,
        @Nullable String key,
        @Nullable Integer applied,
        @Nullable String method,
        @Nullable String url) {
      var text = new StringBuilder(step);
      text.append(item == null ? "" : " item " + item);
      text.append(key == null ? "" : " key " + key);
      text.append(applied == null ? "" : " applied " + applied);
      text.append(method == null && url == null ? "" : " (");
      text.append(method == null ? "" : method);
      text.append(method != null && url != null ? " " : "");
      text.append(url == null ? "" : url);
      return text.append(method == null && url == null ? "" : ")").toString();
    }
  }
}

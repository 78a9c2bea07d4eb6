package dev.hapax.trial.cases;

import dev.hapax.flow.Failure;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what happened now into the file of cases, as what is expected. Only values below {@code
 * expect} change; comments and layout stay. A person reviews the difference.
 */
public final class CaseUpdate {
  private final CaseFile file;

  public CaseUpdate(CaseFile file) {
    this.file = file;
  }

  /**
   * Writes the file anew if a case differs.
   *
   * @return whether it was written
   * @throws IOException if it was changed meanwhile, or cannot be written
   */
  public boolean write(FlowFolder folder, List<CaseResult> results) throws IOException {
    String text = textWith(results);
    if (text.equals(file.text())) {
      return false;
    }
    if (!FlowFolder.readSmall(file.path()).equals(file.text())) {
      throw new IOException(
          "%s has changed meanwhile: run it again".formatted(folder.shown(file.path())));
    }
    Path next = Files.createTempFile(file.path().resolveSibling(""), ".hapax", ".yaml");
    try {
      Files.writeString(next, text);
      CaseFile written = CaseFile.read(folder, next, file.path());
      if (!written.problems().isEmpty()) {
        throw new IOException(
            "%s cannot be updated, write it by hand: %s"
                .formatted(folder.shown(file.path()), written.problems().getFirst().message()));
      }
      if (Files.getFileStore(next).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file.path()));
      }
      Files.move(
          next, file.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
    return true;
  }

  /** Returns the text of the file with the values of these results. */
  String textWith(List<CaseResult> results) {
    var edits = new YamlEdits(file.path().toString(), file.text());
    for (CaseResult result : results) {
      Ending ending = result.ending();
      if (!result.isPassed() && ending != null) {
        edit(edits, result.of(), ending);
      }
    }
    return edits.text();
  }

  private static void edit(YamlEdits edits, TestCase testCase, Ending ending) {
    Expectation expect = testCase.expect();
    Map<String, @Nullable Object> values = valuesOf(ending, expect);
    if (expect == null) {
      edits.add(testCase.number(), "expect", values);
      return;
    }
    values.forEach((name, value) -> edits.replace(testCase.number(), "expect", name, value));
  }

  /** Returns the values that the case asks for; for a case without any, the usual ones. */
  private static Map<String, @Nullable Object> valuesOf(
      Ending ending, @Nullable Expectation expect) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    Failure error = ending.error();
    if (expect == null || expect.status() != null) {
      values.put("status", ending.status());
    }
    if (expect == null ? ending.output() != null : expect.hasOutput()) {
      values.put("output", ending.output());
    }
    if (expect == null ? error != null : expect.error() != null) {
      values.put("error", error == null ? null : error.code());
    }
    if (expect == null ? ending.refused() != null : expect.refused() != null) {
      values.put("refused", ending.refused());
    }
    if (expect == null ? ending.outcome() != null : expect.outcome() != null) {
      values.put("outcome", ending.outcome());
    }
    if (expect == null || expect.sends() != null) {
      values.put("sends", ending.sends().stream().map(CaseUpdate::send).toList());
    }
    if (expect == null || expect.applied() != null) {
      values.put("applied", applied(ending, expect));
    }
    if (expect == null ? !ending.reviews().isEmpty() : expect.reviews() != null) {
      values.put("reviews", ending.reviews());
    }
    if (expect != null && expect.duplicates() != null) {
      values.put("duplicates", ending.duplicates());
    }
    return values;
  }

  private static Map<String, Object> send(SandboxRequest request) {
    var send = new LinkedHashMap<String, Object>();
    send.put("step", request.from().step());
    String item = request.from().item();
    if (item != null) {
      send.put("item", item);
    }
    send.put("key", request.from().key());
    return send;
  }

  private static Map<String, Object> applied(Ending ending, @Nullable Expectation expect) {
    Set<String> steps = new LinkedHashSet<>();
    if (expect == null || expect.applied() == null) {
      ending.sends().forEach(request -> steps.add(request.from().step()));
    } else {
      steps.addAll(expect.applied().keySet());
    }
    var applied = new LinkedHashMap<String, Object>();
    steps.forEach(step -> applied.put(step, ending.applied(step)));
    return applied;
  }
}

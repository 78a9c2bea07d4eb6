package dev.hapax.app.ui;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Looks for what keeps people out, by the rules of WCAG 2.1 AA; only inside tests. */
final class Axe {
  private static final String SCRIPT = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final String RUN =
      """
      () => axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(found =>
        found.violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
          .flatMap(one => one.nodes.map(node => one.id + ': ' + node.html + ' ' + node.failureSummary)))
      """;

  private Axe() {}

  /** Returns what is serious or critical on a page. */
  @SuppressWarnings("unchecked")
  static List<String> seriousIn(Page page) {
    page.evaluate(script());
    return (List<String>) page.evaluate(RUN);
  }

  private static String script() {
    try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream(SCRIPT))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

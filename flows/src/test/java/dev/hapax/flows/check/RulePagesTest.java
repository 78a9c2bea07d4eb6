package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.file.FlowFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each rule has a page with a file that breaks it and one that does not. */
class RulePagesTest {
  private static final Path PAGES =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/flows/check");
  private static final Set<String> OF_READING =
      Set.of("yaml", "schema", "unknown-field", "type", "expression", "two-kinds", "duplicate-id");

  /** The server of the pages about missing parts. */
  private static final MissingParts.Parts SERVER =
      new MissingParts.Parts(
          name ->
              Optional.ofNullable(
                  switch (name) {
                    case "shop" -> http(name);
                    case "forge" -> http(name).idempotency(Idempotency.NONE);
                    case "bank" -> http(name).auth(new Connection.Auth.Bearer("bank-token"));
                    case "smtp" ->
                        new Connection.Smtp(
                            name,
                            "mail.example",
                            465,
                            Connection.Smtp.Tls.IMPLICIT,
                            "shop@example.com",
                            null,
                            null,
                            Set.of());
                    default -> null;
                  }),
          _ -> Optional.empty(),
          "send-invoice"::equals,
          "check-stock"::equals,
          _ -> false);

  private static Connection.Http http(String name) {
    return Connection.Http.of(name, "https://%s.example".formatted(name));
  }

  @TestFactory
  Stream<DynamicTest> the_bad_file_breaks_the_rule_and_the_good_one_none() throws IOException {
    return pages().stream()
        .map(
            page ->
                DynamicTest.dynamicTest(
                    rule(page),
                    () -> {
                      List<Finding> bad = findings(page, "bad");

                      assertThat(bad).extracting(Finding::rule).containsOnly(rule(page));
                      assertThat(bad)
                          .extracting(finding -> finding.level().word())
                          .containsOnly(level(page));
                      assertThat(findings(page, "good")).isEmpty();
                    }));
  }

  @Test
  void every_rule_has_its_page() throws IOException {
    assertThat(pages().stream().map(RulePagesTest::rule).toList())
        .containsAll(Check.rules())
        .containsAll(OF_READING)
        .containsAll(MissingParts.RULES)
        .hasSize(Check.rules().size() + OF_READING.size() + MissingParts.RULES.size());
  }

  private static List<Finding> findings(Path page, String which) throws IOException {
    Check.Result checked = Check.check(which + ".yaml", file(page, which));
    FlowFile file = checked.file();
    return Stream.concat(
            checked.findings().stream(),
            file == null || !MissingParts.RULES.contains(rule(page))
                ? Stream.empty()
                : MissingParts.of(file, SERVER).stream())
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.list(PAGES)) {
      return all.filter(page -> !page.endsWith("README.md")).sorted().toList();
    }
  }

  private static String rule(Path page) {
    return page.getFileName().toString().replace(".md", "");
  }

  private static String level(Path page) throws IOException {
    Matcher title = Pattern.compile("\\((\\w+)\\)").matcher(Files.readString(page));
    assertThat(title.find()).isTrue();
    return title.group(1);
  }

  private static String file(Path page, String which) throws IOException {
    Matcher block =
        Pattern.compile("```yaml " + which + "\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    assertThat(block.find()).as("%s file of %s", which, page).isTrue();
    return block.group(1);
  }
}

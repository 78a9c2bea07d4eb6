package dev.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final double BARE_COMMITS = 5000;

  private final Report report = new Report();

  @BeforeEach
  void measure() {
    report.add(
        Figure.of("a.runs-per-s", 4000, "runs/s")
            .against(bare -> bare)
            .aims(Goal.ratioAtLeast(0.6, 1.5)));
    report.add(
        Figure.of("a.p50-ms", 3.2, "ms").against(bare -> 4000 / bare).aims(Goal.ratioAtMost(3, 2)));
    report.add(Figure.of("b.seconds", 1.5, "s"));
  }

  @Test
  void a_program_reads_value_unit_reference_and_ratio(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("results.json");

    report.writeJson(file, BARE_COMMITS);

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {
              "a.runs-per-s": {"value":4000.0,"unit":"runs/s","reference":5000.0,"ratio":0.8},
              "a.p50-ms": {"value":3.2,"unit":"ms","reference":0.8,"ratio":4.0},
              "b.seconds": {"value":1.5,"unit":"s","reference":null,"ratio":null}
            }
            """);
  }

  @Test
  void a_person_sees_what_was_reached_and_what_was_not() {
    var text = new ByteArrayOutputStream();

    report.print(new PrintStream(text, true, StandardCharsets.UTF_8), BARE_COMMITS);

    assertThat(text.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(
            """
            load          value  unit    reference  ratio  target     goal       reached
            a.runs-per-s  4,000  runs/s      5,000   0.80  >= 0.60 x  >= 1.50 x  target
            a.p50-ms       3.20  ms           0.80      4  <= 3 x     <= 2 x     MISSED
            b.seconds      1.50  s
            """);
  }
}

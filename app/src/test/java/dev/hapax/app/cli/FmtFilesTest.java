package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are formatted and imported: written as a whole, with their permissions, or not. */
class FmtFilesTest {
  private static final String MESSY = "steps:\n- {set: {a: 1}, id: x}\nflow: f\n";
  private static final String FORMATTED = "flow: f\nsteps:\n  - {id: x, set: {a: 1}}\n";

  @TempDir Path folder;
  @TempDir Path outside;

  @Test
  void a_formatted_file_keeps_its_permissions_and_leaves_nothing_beside_it() throws IOException {
    Path file = write("f.yaml", MESSY);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThat(type("fmt", "f.yaml").exit()).isZero();

    assertThat(Files.readString(file)).isEqualTo(FORMATTED);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(names()).containsExactly("f.yaml");
  }

  @Test
  void a_folder_is_formatted_without_following_links_or_touching_other_files() throws IOException {
    Path target = Files.writeString(outside.resolve("out.yaml"), MESSY);
    Path in = write("in/deep/f.yml", MESSY);
    Path hidden = write("in/.hidden/f.yaml", MESSY);
    Path other = write("in/other.yaml", "b: 1\na:    2\n");
    Path text = write("in/f.txt", MESSY);
    Files.createSymbolicLink(folder.resolve("in/link.yaml"), target);
    Files.createSymbolicLink(folder.resolve("in/folder"), outside);

    Desk.Effect effect = type("fmt", "in");

    assertThat(effect.exit()).as(effect.out()).isZero();
    assertThat(effect.out()).contains("in/deep/f.yml").doesNotContain("other", "link");
    assertThat(Files.readString(in)).isEqualTo(FORMATTED);
    for (Path untouched : List.of(hidden, text, target)) {
      assertThat(Files.readString(untouched)).isEqualTo(MESSY);
    }
    assertThat(Files.readString(other)).isEqualTo("b: 1\na:    2\n");
    assertThat(type("fmt", "in/link.yaml").exit()).isEqualTo(3);
    assertThat(Files.readString(target)).isEqualTo(MESSY);
  }

  @Test
  void check_writes_nothing_and_one_bad_file_does_not_stop_the_others() throws IOException {
    Path messy = write("a.yaml", MESSY);
    Path broken = write("b.yaml", "flow: b\nsteps: [\n");
    Path binary = folder.resolve("c.yaml");
    Files.write(binary, new byte[] {'f', (byte) 0xff, (byte) 0xfe});

    assertThat(type("fmt", "--check", "a.yaml").exit()).isEqualTo(3);
    assertThat(Files.readString(messy)).isEqualTo(MESSY);
    assertThat(type("fmt", "b.yaml", "a.yaml").exit()).isEqualTo(3);
    assertThat(Files.readString(messy)).isEqualTo(FORMATTED);
    assertThat(Files.readString(broken)).isEqualTo("flow: b\nsteps: [\n");
    assertThat(type("fmt", "c.yaml").out()).contains("not-utf-8");
    assertThat(type("fmt", "no.yaml").exit()).isEqualTo(4);
  }

  @Test
  void an_import_writes_all_flows_or_none() throws IOException {
    write("crontab", "0 1 * * * /bin/one\n0 2 * * * /bin/two\n");
    Path two = write("flows/two.yaml", "mine");

    Desk.Effect refused = type("import", "crontab", "crontab");

    assertThat(refused.exit()).isEqualTo(3);
    assertThat(Files.readString(two)).isEqualTo("mine");
    assertThat(folder.resolve("flows/one.yaml")).doesNotExist();
    assertThat(type("import", "crontab", "crontab", "--force").exit()).isZero();
    assertThat(Files.readString(two)).contains("flow: two");
    assertThat(folder.resolve("flows/one.yaml")).exists();
  }

  @Test
  void a_file_that_is_too_large_is_refused_before_it_is_read() throws IOException {
    try (var file = new RandomAccessFile(folder.resolve("large.json").toFile(), "rw")) {
      file.setLength(100L << 20);
    }

    assertThat(type("import", "n8n", "large.json").out()).contains("too-large");
  }

  private Desk.Effect type(String... args) throws IOException {
    try (var desk = new Desk(Main.verbs(), folder)) {
      return desk.type(false, List.of(args));
    }
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    return Files.writeString(file, text);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}

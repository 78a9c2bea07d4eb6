package dev.hapax.app.cli.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.cli.output.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of flows come from a server, and must not decide where a file is written. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ExportFolderTest {
  @TempDir Path home;

  @Test
  void every_flow_gets_its_own_file_inside_the_folder() throws IOException {
    var flows = new TreeMap<String, String>();
    for (String name : new String[] {"a/../../b", "a/b", "a-b", "A-B", "nul", "x.test", "plain"}) {
      flows.put(name, "flow: " + name);
    }

    new ExportFolder(home.resolve("copy"), false).write("flows", flows, ExportFolder::fileName);

    var texts = new TreeSet<String>();
    try (var files = Files.list(home.resolve("copy/flows"))) {
      for (Path file : files.toList()) {
        texts.add(Files.readString(file));
        assertThat(file.getFileName().toString())
            .matches("[A-Za-z0-9._-]+\\.yaml")
            .doesNotEndWith(".test.yaml");
      }
    }
    assertThat(texts).containsExactlyInAnyOrderElementsOf(flows.values());
    assertThat(home.resolve("copy/flows/plain.yaml")).exists();
  }

  @Test
  void nothing_is_written_through_a_link() throws IOException {
    Path outside = Files.createDirectory(home.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("secret.yaml"), "keep me");
    Path copy = Files.createDirectory(home.resolve("copy"));
    Files.createSymbolicLink(copy.resolve("flows"), outside);
    Files.createDirectory(copy.resolve("connections"));
    Files.createSymbolicLink(copy.resolve("connections/a.yaml"), secret);
    var files = new TreeMap<>(Map.of("a", "text"));
    var export = new ExportFolder(copy, true);

    assertThatThrownBy(() -> export.write("flows", files, ExportFolder::fileName))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is a link");
    export.write("connections", files, (name, _) -> name + ".yaml");

    assertThat(Files.readString(secret)).isEqualTo("keep me");
    assertThat(Files.readString(copy.resolve("connections/a.yaml"))).isEqualTo("text");
  }
}

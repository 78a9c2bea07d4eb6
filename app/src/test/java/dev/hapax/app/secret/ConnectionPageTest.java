package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.json.Json;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every example of the page about connections is one, and together they show every member. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ConnectionPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/operate/connections.md");

  private static final Pattern EXAMPLE = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL);

  private static List<JsonNode> examples() throws IOException {
    return EXAMPLE
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> Json.tree(block.group(1)))
        .toList();
  }

  @Test
  void every_example_can_be_written() throws IOException {
    var connections = new ArrayList<Connection>();
    for (JsonNode example : examples()) {
      ConnectionReader form = ConnectionBook.reader(example);
      form.refuseHeaders();
      connections.add(form.connection("example"));
    }

    assertThat(connections)
        .extracting(Connection::kind)
        .contains(ConnectionKind.values())
        .hasSizeGreaterThan(10);
    assertThat(connections)
        .filteredOn(Connection.Http.class::isInstance)
        .extracting(connection -> ((Connection.Http) connection).auth().getClass().getSimpleName())
        .contains("None", "Bearer", "Basic", "Header");
  }

  @Test
  void the_examples_show_every_member() throws IOException {
    var members = new TreeSet<String>();
    membersOf(ConnectionForm.class, members);

    var shown = new TreeSet<String>();
    examples().forEach(example -> shownIn(example, shown));

    assertThat(shown).containsAll(members);
  }

  private static void membersOf(Class<?> type, Set<String> members) {
    for (RecordComponent component : type.getRecordComponents()) {
      members.add(component.getName());
      if (component.getType().isRecord()) {
        membersOf(component.getType(), members);
      }
    }
  }

  private static void shownIn(JsonNode node, Set<String> shown) {
    node.properties()
        .forEach(
            member -> {
              shown.add(member.getKey());
              shownIn(member.getValue(), shown);
            });
  }
}

package dev.hapax.app.config;

import dev.hapax.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** {@code hapax.yaml}: sections of settings. Each problem is reported with its line and column. */
final class SettingsFile {
  private final String name;
  private final List<String> problems;
  private final Map<String, SettingsReader.Given> given;

  SettingsFile(String name, List<String> problems, Map<String, SettingsReader.Given> given) {
    this.name = name;
    this.problems = problems;
    this.given = given;
  }

  void read(String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(name).setUseMarks(true).setCodePointLimit(1 << 20).build();
    try {
      new Compose(settings)
          .composeString(text)
          .ifPresent(
              root -> {
                if (root instanceof MappingNode mapping) {
                  readMapping("", mapping);
                } else {
                  refuse(root, "expected sections such as 'http:'");
                }
              });
    } catch (YamlEngineException | StackOverflowError e) {
      problems.add(
          "%s is not valid YAML: %s".formatted(name, firstLine(String.valueOf(e.getMessage()))));
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private void readMapping(String prefix, MappingNode mapping) {
    for (NodeTuple entry : mapping.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode key) {
        read(prefix + key.getValue(), key, entry.getValueNode());
      } else {
        refuse(entry.getKeyNode(), "expected a name");
      }
    }
  }

  private void read(String setting, ScalarNode key, Node value) {
    boolean isSection =
        SettingsReader.SettingNames.ALL.stream().anyMatch(one -> one.startsWith(setting + "."));
    if (isSection && value instanceof MappingNode section) {
      readMapping(setting + ".", section);
    } else if (!SettingsReader.SettingNames.ALL.contains(setting)) {
      refuse(key, SettingsReader.SettingNames.unknown(setting));
    } else if (setting.equals("alerts") && value instanceof MappingNode alerts) {
      given.put(setting, new SettingsReader.Given(Json.write(plain(alerts)), place(alerts)));
    } else if (value instanceof ScalarNode scalar) {
      given.put(setting, new SettingsReader.Given(scalar.getValue(), place(scalar)));
    } else if (value instanceof SequenceNode list) {
      given.put(setting, new SettingsReader.Given(joined(list), place(list)));
    } else {
      refuse(value, "%s: expected a value".formatted(setting));
    }
  }

  private static Object plain(Node node) {
    return switch (node) {
      case MappingNode mapping -> {
        var members = new LinkedHashMap<String, Object>();
        for (NodeTuple entry : mapping.getValue()) {
          members.put(String.valueOf(plain(entry.getKeyNode())), plain(entry.getValueNode()));
        }
        yield members;
      }
      case SequenceNode list -> list.getValue().stream().map(SettingsFile::plain).toList();
      case ScalarNode scalar -> scalar.getValue();
      default -> "";
    };
  }

  private static String joined(SequenceNode list) {
    return String.join(
        ",",
        list.getValue().stream()
            .map(item -> item instanceof ScalarNode scalar ? scalar.getValue() : "")
            .toList());
  }

  private void refuse(Node where, String problem) {
    problems.add(place(where) + " " + problem);
  }

  private String place(Node node) {
    Mark mark = node.getStartMark().orElse(null);
    return mark == null
        ? name
        : "%s:%d:%d".formatted(name, mark.getLine() + 1, mark.getColumn() + 1);
  }
}

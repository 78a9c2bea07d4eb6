package dev.hapax.flows.file;

import dev.hapax.flow.Names;
import dev.hapax.flow.SearchFields;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.FileProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields by which the runs of a flow can be found. */
final class SearchableReader {
  private final List<FileProblem> problems;

  SearchableReader(List<FileProblem> problems) {
    this.problems = problems;
  }

  Map<String, Template> read(ValueTemplate.Mapping searchable) {
    var fields = new LinkedHashMap<String, Template>();
    searchable
        .members()
        .forEach(
            (name, value) -> {
              Template template = template(name, value);
              if (template != null) {
                fields.put(name, template);
              }
            });
    if (searchable.members().size() > SearchFields.MOST) {
      refuse(
          searchable.position(),
          "searchable has %d fields; a flow can have %d"
              .formatted(searchable.members().size(), SearchFields.MOST),
          "Keep those that people search for.");
    }
    return fields;
  }

  /** Returns the person whom a run is about; null if the file does not say, or not rightly. */
  @Nullable Template subject(@Nullable Template subject) {
    if (subject == null) {
      return null;
    }
    String moment = subject.reach().momentCall();
    if (moment != null || subject.isConstant()) {
      refuse(
          subject.position(),
          moment == null
              ? "subject is the same for all runs"
              : "subject reaches %s(), which differs at every evaluation".formatted(moment),
          "Use an id of the person in the input, for example ${input.customerId}.");
      return null;
    }
    return subject;
  }

  private @Nullable Template template(String name, ValueTemplate value) {
    try {
      Names.searchField(name);
    } catch (IllegalArgumentException e) {
      refuse(value.position(), String.valueOf(e.getMessage()), "Rename the field.");
      return null;
    }
    if (!(value instanceof ValueTemplate.Text(var template))) {
      refuse(
          value.position(),
          "searchable '%s': expected one expression".formatted(name),
          "Write for example ${input.customerId}.");
      return null;
    }
    String moment = template.reach().momentCall();
    if (moment != null) {
      refuse(
          value.position(),
          "searchable '%s' reaches %s(), which differs at every evaluation".formatted(name, moment),
          "Use values of the input only.");
      return null;
    }
    if (template.isConstant()) {
      refuse(
          value.position(),
          "searchable '%s' is the same for all runs".formatted(name),
          "Use a value of the input, for example ${input.customerId}.");
      return null;
    }
    return template;
  }

  private void refuse(Position position, String message, String fix) {
    problems.add(new FileProblem(FileProblem.TYPE, position, message, fix));
  }
}

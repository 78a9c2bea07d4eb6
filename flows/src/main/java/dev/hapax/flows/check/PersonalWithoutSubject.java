package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;

/** A flow whose input holds personal data, but whose runs cannot be found by the person. */
final class PersonalWithoutSubject implements Rule {
  @Override
  public String id() {
    return "personal-without-subject";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.subject() == null && flow.input() != null && !flow.input().personal().isEmpty()) {
      report.add(
          flow.position(),
          "the input of flow '%s' holds personal data, but the flow names no subject, so a person's runs can only be found by reading all of them"
              .formatted(flow.name()),
          "Add subject with an id of the person, for example subject: ${input.customerId}.");
    }
  }
}

package dev.hapax.app.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(name = "schedules", description = "Lists schedules and when each is due next.")
final class Schedules extends ScheduleList {
  @Override
  Stream<Verbs.Entry> inner() {
    return Stream.of(new Verbs.Entry("list", List::new));
  }

  @Command(name = "list", description = "Lists schedules and when each is due next.")
  static final class List extends ScheduleList {}
}

package dev.hapax.app.cli;

import picocli.CommandLine.Command;

@Command(
    name = "schedules",
    description = "Lists schedules and when each is due next.",
    subcommands = Schedules.List.class)
final class Schedules extends ScheduleList {

  @Command(name = "list", description = "Lists schedules and when each is due next.")
  static final class List extends ScheduleList {}
}

package dev.hapax.app.cli.verb;

import java.util.function.Supplier;

/**
 * A verb by name. It is created only if the command line names it: reading the annotations of all
 * verbs would cost a good part of the start.
 */
public record VerbEntry(String name, Supplier<Verb> verb) {}

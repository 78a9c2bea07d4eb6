package dev.hapax.store;

import java.util.List;

/**
 * What goes into one transaction. An immutable value, so that it can be submitted again unchanged.
 */
public record Batch(List<Group> groups) {}

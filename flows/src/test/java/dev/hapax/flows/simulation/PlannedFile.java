package dev.hapax.flows.simulation;

import java.util.List;

/**
 * A generated flow file.
 *
 * @param compensates whether a run that fails undoes what it did
 * @param alerts whether it has channels for alerts
 */
record PlannedFile(String name, List<Part> parts, boolean compensates, boolean alerts) {}

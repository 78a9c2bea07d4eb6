package dev.hapax.trial.proof;

import dev.hapax.flows.connection.Connections;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.FlowFolder;

/**
 * What all scenes of all proofs share.
 *
 * @param connections those that are known; others are made up
 * @param door receives events
 */
public record SceneParts(FlowFolder folder, Connections connections, EventDoor door) {}

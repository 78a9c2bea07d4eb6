package dev.hapax.flows.model;

/**
 * The model wants to use a tool.
 *
 * @param id by which the answer names the call
 * @param tool the name that the model wrote
 * @param input JSON text that the model wrote
 */
public record WantedTool(String id, String tool, String input) {}

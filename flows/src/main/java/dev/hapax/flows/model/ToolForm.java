package dev.hapax.flows.model;

import java.util.Map;

/** A tool as the model is told about it. */
public record ToolForm(String name, String description, Map<String, Object> input) {}

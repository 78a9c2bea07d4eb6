package dev.hapax.flows.model;

/** What a tool has answered. */
public record ToolAnswer(String call, String text, boolean isError) {}

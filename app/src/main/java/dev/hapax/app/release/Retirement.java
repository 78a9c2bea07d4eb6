package dev.hapax.app.release;

import java.time.Instant;

/**
 * The end of a flow's work: nothing starts it any more, until a release is promoted again.
 *
 * @param release the one that was live; runs under way still start it as a child run
 * @param newest the last release at that time; those that were made later count for names
 */
public record Retirement(int release, int newest, Instant at, String by) {}

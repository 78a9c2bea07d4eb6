package dev.hapax.archfixture.lower;

import dev.hapax.archfixture.upper.Upper;
import java.util.List;

/** Imports against the direction, and so closes a cycle. */
public record Lower(List<Upper> above) {}

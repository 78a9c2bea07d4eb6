package dev.hapax.archfixture.upper;

import dev.hapax.archfixture.lower.Lower;

/** Imports downwards, as its row in the fixture's table allows. */
public record Upper(Lower below) {}

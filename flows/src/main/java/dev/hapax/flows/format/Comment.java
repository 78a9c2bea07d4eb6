package dev.hapax.flows.format;

/**
 * A comment of a YAML text.
 *
 * @param index of its {@code #}, in code points
 * @param column of its {@code #}
 * @param text from the {@code #} to the end of the line
 * @param alone whether nothing else is on its line
 * @param blankBefore whether the line above is empty
 */
record Comment(int index, int line, int column, String text, boolean alone, boolean blankBefore) {
  Comment afterBlank(boolean blank) {
    return new Comment(index, line, column, text, alone, blank);
  }
}

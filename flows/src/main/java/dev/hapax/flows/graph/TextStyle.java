package dev.hapax.flows.graph;

/** The kinds of text in a picture; their names are classes in the SVG. */
enum TextStyle {
  NAME("name", 14, 1.13),
  DETAIL("detail", 12, 1),
  NOTE("note", 11, 1);

  private final String word;
  private final int size;
  private final double breadth;

  TextStyle(String word, int size, double breadth) {
    this.word = word;
    this.size = size;
    this.breadth = breadth;
  }

  String word() {
    return word;
  }

  int size() {
    return size;
  }

  /** Relative to a plain font of the same size. */
  double breadth() {
    return breadth;
  }

  int lineHeight() {
    return size + 6;
  }
}

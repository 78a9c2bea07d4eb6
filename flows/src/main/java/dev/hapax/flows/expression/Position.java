package dev.hapax.flows.expression;

/** A place in a flow file; lines and columns count from 1. */
public record Position(String file, int line, int column) implements Comparable<Position> {
  /** A place further to the right on the same line. */
  public Position right(int columns) {
    return new Position(file, line, column + columns);
  }

  @Override
  public int compareTo(Position other) {
    int byFile = file.compareTo(other.file);
    int byLine = Integer.compare(line, other.line);
    return byFile != 0 ? byFile : byLine != 0 ? byLine : Integer.compare(column, other.column);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}

package dev.hapax.bench;

/** A benchmark. Its figures are named after it: load {@code a.b} reports {@code a.b.runs-per-s}. */
interface Load {
  String name();

  /** Does its own warm-up, and leaves only its figures and files in the workspace. */
  void measure(Workspace workspace, Report report) throws Exception;
}

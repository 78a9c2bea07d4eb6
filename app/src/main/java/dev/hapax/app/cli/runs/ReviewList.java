package dev.hapax.app.cli.runs;

/** A page of the effects that wait for a person's decision. */
abstract class ReviewList extends EffectList {
  @Override
  final String state() {
    return "review";
  }
}

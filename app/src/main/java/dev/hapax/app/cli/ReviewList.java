package dev.hapax.app.cli;

/** A page of what waits for a person's word. */
abstract class ReviewList extends EffectList {
  @Override
  final String state() {
    return "review";
  }
}

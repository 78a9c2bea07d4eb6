package dev.hapax.app.demo;

/** The kinds of events in the sandbox that an order can cause. */
enum Happening {
  CHARGE("charge", true),
  POINTS("points", true),
  PARCEL("parcel", true),
  RESERVATION("reservation", true),
  GIVEN_BACK("reservation.undo", true),
  INVOICE("invoice", false),
  MAIL("mail", false);

  private final String effect;
  private final boolean oncePerKey;

  Happening(String effect, boolean oncePerKey) {
    this.effect = effect;
    this.oncePerKey = oncePerKey;
  }

  /** Returns the name of the effect by which Hapax causes it. */
  String effect() {
    return effect;
  }

  /** Returns whether the system itself removes duplicates; if not, only Hapax does. */
  boolean isOncePerKey() {
    return oncePerKey;
  }
}

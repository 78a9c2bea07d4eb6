package dev.hapax.app.demo;

/** What can happen in the sandbox because of an order. */
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

  /** The name of the effect by which Hapax makes it happen. */
  String effect() {
    return effect;
  }

  /** Whether the system itself removes a duplicate; if not, nobody but Hapax does. */
  boolean isOncePerKey() {
    return oncePerKey;
  }
}

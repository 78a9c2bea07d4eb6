package dev.hapax.app.ui;

import com.microsoft.playwright.Page;

/** A person who uses the keyboard only. */
final class Hands {
  private static final int MOST = 80;
  private static final String FOCUSED =
      "() => { const at = document.activeElement; return (at.getAttribute('aria-label') || at.labels?.[0]?.innerText || at.innerText || '').trim(); }";

  private Hands() {}

  /** Presses Tab until what has the focus begins with a text. */
  static void tabTo(Page page, String text) {
    for (int i = 0; i < MOST; i++) {
      if (String.valueOf(page.evaluate(FOCUSED)).startsWith(text)) {
        return;
      }
      page.keyboard().press("Tab");
    }
    throw new AssertionError("Tab does not lead to '%s'".formatted(text));
  }
}

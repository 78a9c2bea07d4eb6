package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.app.http.Route;
import dev.hapax.app.release.Flows;
import dev.hapax.app.webhook.SavedEvents;
import dev.hapax.flow.Interceptor;
import java.util.List;

/** A part that works inside a server and that a verb brings along. */
interface Companion {
  Companion NONE = new Companion() {};

  /** Wraps the code that sends effects. */
  default Interceptor interceptor() {
    return Interceptor.NONE;
  }

  /** Gets the engine and the live flows, before any run goes on. */
  default void opened(Hapax hapax, Flows live) {}

  /** Returns more routes. */
  default List<Route> routes(SavedEvents events) {
    return List.of();
  }
}

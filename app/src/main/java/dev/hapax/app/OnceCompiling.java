package dev.hapax.app;

import dev.hapax.app.once.OnceFlow;
import dev.hapax.app.release.LiveFlows;
import java.util.function.Supplier;

/** Effects without a flow are compiled on the threads of flow files. */
record OnceCompiling(LiveFlows live) implements OnceFlow.Compiling {
  @Override
  public <T> T checked(String tenant, String text, Supplier<T> work) {
    return live.checked(tenant, text, work);
  }

  @Override
  public <T> T compiled(Supplier<T> work) {
    return live.compiled(work);
  }
}

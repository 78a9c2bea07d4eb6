package dev.hapax.trial.sandbox;

import java.io.IOException;

/** Sees every request at the edge of the process, which may die there. Called by many threads. */
public interface SendWatch {
  SendWatch NONE =
      new SendWatch() {
        @Override
        public void before(SandboxRequest request) {}

        @Override
        public void after(SandboxRequest request) {}
      };

  /** Called before it leaves; if this throws, nothing leaves. */
  void before(SandboxRequest request) throws IOException;

  /** Called when it has arrived and before its answer is read; if this throws, no answer is. */
  void after(SandboxRequest request) throws IOException;
}

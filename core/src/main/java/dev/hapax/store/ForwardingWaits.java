package dev.hapax.store;

import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.run.wait.Wait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards every question about waits. */
record ForwardingWaits(ForwardingStore store) implements WaitReads {

  @Override
  public @Nullable Wait find(long number) {
    return store.<@Nullable Wait>call("find", () -> store.to().waits().find(number));
  }

  @Override
  public @Nullable Wait find(Fingerprint token) {
    return store.<@Nullable Wait>call("find", () -> store.to().waits().find(token));
  }

  @Override
  public List<Wait> ofRun(long run) {
    return store.call("ofRun", () -> store.to().waits().ofRun(run));
  }

  @Override
  public @Nullable Wait approval(long run, Step step) {
    return store.<@Nullable Wait>call("approval", () -> store.to().waits().approval(run, step));
  }

  @Override
  public List<Wait> approvals(ApprovalFilter filter) {
    return store.call("approvals", () -> store.to().waits().approvals(filter));
  }

  @Override
  public List<Wait.LaterAnswer> laterAnswers(long run) {
    return store.call("laterAnswers", () -> store.to().waits().laterAnswers(run));
  }
}

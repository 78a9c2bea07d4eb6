package dev.hapax.trial.cases;

import dev.hapax.store.Batch;
import dev.hapax.testkit.Stage;
import dev.hapax.trial.Trial;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.SendWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets the process of a trial die at the places of a case, at each once. */
final class Deaths implements SendWatch, Stage.CommitWatch {
  private final List<Armed> armed = new ArrayList<>();
  private volatile @Nullable Trial trial;

  /** A place that is not reached often enough yet. */
  private static final class Armed {
    private final KillPoint point;
    private int left;

    Armed(KillPoint point) {
      this.point = point;
      this.left = point.attempt();
    }

    boolean isReached() {
      left--;
      return left == 0;
    }
  }

  synchronized void arm(KillPoint point) {
    armed.add(new Armed(point));
  }

  void in(Trial opened) {
    trial = opened;
  }

  /** Returns the places that were not reached, for the report. */
  synchronized List<KillPoint> left() {
    return armed.stream().map(one -> one.point).toList();
  }

  @Override
  public void before(SandboxRequest request) throws IOException {
    dieIf(isAt(true, request));
  }

  @Override
  public void after(SandboxRequest request) throws IOException {
    dieIf(isAt(false, request));
  }

  private void dieIf(boolean isReached) throws IOException {
    Trial in = trial;
    if (isReached && in != null) {
      in.die();
      throw new IOException("the process died");
    }
  }

  private synchronized boolean isAt(boolean isBefore, SandboxRequest request) {
    if (request.from().role() == RequestOrigin.Role.LOOKUP) {
      return false;
    }
    for (Armed one : armed) {
      KillPoint point = one.point;
      if (point.edge() == KillPoint.Edge.SEND
          && point.isBefore() == isBefore
          && point.step().equals(request.from().step())
          && one.isReached()) {
        return armed.remove(one);
      }
    }
    return false;
  }

  @Override
  public void around(Stage stage, Batch batch, Runnable commit) {
    Armed reached = reached(batch);
    if (reached != null && reached.point.isBefore()) {
      stage.die();
      return;
    }
    commit.run();
    if (reached != null) {
      stage.die();
    }
  }

  private synchronized @Nullable Armed reached(Batch batch) {
    for (Armed one : armed) {
      if (one.point.isIn(batch) && one.isReached()) {
        armed.remove(one);
        return one;
      }
    }
    return null;
  }
}

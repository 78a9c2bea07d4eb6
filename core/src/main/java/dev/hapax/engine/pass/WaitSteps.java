package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.Alerts;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.parts.Tokens;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.replay.WaitBook;
import dev.hapax.engine.replay.WaitOutcome;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Message;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run that wait for a time, for a system or for people. A wait costs one commit: its
 * row, its journal entry and the run's release are written together, and an earlier decision makes
 * the run due at once. Used by the run's thread; one for all items and rounds of a fiber.
 */
final class WaitSteps {
  private static final int LONGEST_APPROVER = 200;

  private final Fiber fiber;
  private final EngineParts parts;

  WaitSteps(Fiber fiber, EngineParts parts) {
    this.fiber = fiber;
    this.parts = parts;
  }

  /** Null when the time has come. */
  @Nullable String sleep(Step step, @Nullable StepState state, Supplier<Instant> until) {
    StepState.Waiting wait =
        state instanceof StepState.Waiting recorded ? recorded : start(step, until.get());
    if (parts.clock().now().isBefore(wait.until())) {
      throw fiber.park(RunStatus.WAITING, wait.until());
    }
    fiber.add(new WaitEntry.WaitEnded(step));
    slept(wait);
    return null;
  }

  private StepState.Waiting start(Step step, Instant until) {
    Instant stored = Instant.ofEpochMilli(until.toEpochMilli());
    fiber.add(new WaitEntry.WaitStarted(step, stored));
    return new StepState.Waiting(parts.clock().now(), stored);
  }

  /** Notes a sleep that is in the journal. */
  void slept(Step step) {
    if (parts.failovers().isNone()) {
      return;
    }
    StepState.Waiting wait = fiber.journal().replay().sleep(step);
    if (wait != null) {
      slept(wait);
    }
  }

  private void slept(StepState.Waiting wait) {
    fiber.slept(parts.failovers().passedBy(wait.from(), wait.until()));
  }

  // ---- callbacks

  /** Returns the token. Its wait is durable with the next commit, which is before any effect's. */
  String token(Step step) {
    boolean isNew = book().callback(step) == null;
    int key = isNew ? parts.tokens().currentKey() : book().keyOf(step);
    String token = parts.tokens().of(fiber.identity(), step, key);
    if (isNew && !fiber.pass().isCompensating()) {
      long number = parts.ids().next();
      Wait wait = callback(number, step, key, false, null);
      fiber.add(
          new WaitEntry.CallbackOpened(step, number, recorded(key)), new Change.OpenWait(wait));
    }
    if (step.round() != null) {
      book().follow(step, token);
    }
    return token;
  }

  private Wait callback(
      long number, Step step, int key, boolean isAwaited, @Nullable Instant until) {
    var who = fiber.identity();
    var token = Tokens.hash(parts.tokens().of(who, step, key));
    return Wait.callback(
        number, token, who.tenant(), who.run(), step, parts.clock().now(), isAwaited, until, key);
  }

  private static @Nullable Integer recorded(int key) {
    return key == TokenKeys.OF_STORE ? null : key;
  }

  @Nullable String awaitCallback(Step step, @Nullable StepState state, @Nullable Duration expires) {
    if (state instanceof StepState.Asked asked && asked.isAwaited()) {
      return hear(step, asked, expires);
    }
    Long opened = book().callback(step);
    if (opened == null) {
      long number = parts.ids().next();
      Instant until = until(expires);
      int key = parts.tokens().currentKey();
      fiber.add(
          new WaitEntry.CallbackAwaited(step, number, until, recorded(key)),
          new Change.OpenWait(callback(number, step, key, true, until)));
      throw rest(step, number, parts.clock().now(), until);
    }
    long number = book().handedOut(step, opened);
    Wait wait = parts.store().waits().find(number);
    if (wait != null && isSettled(wait)) {
      fiber.add(new WaitEntry.CallbackAwaited(step, number, wait.expiresAt(), null));
      return settle(step, StepState.Asked.opened(number), wait);
    }
    throw park(step, number, expires);
  }

  private Unwind park(Step step, long number, @Nullable Duration expires) {
    Instant until = until(expires);
    fiber.add(
        new WaitEntry.CallbackAwaited(step, number, until, null),
        new Change.AwaitWait(number, until));
    return rest(step, number, parts.clock().now(), until);
  }

  // ---- approvals

  /**
   * Returns the token of a link to an approval. Its row is durable with the next commit, which is
   * before any effect's.
   */
  String link(Step approval, @Nullable String approver) {
    Integer known = book().keyOfLink(approval, approver);
    int key = known == null ? parts.tokens().currentKey() : known;
    var who = fiber.identity();
    String token = parts.tokens().ofLink(who, approval, approver, key);
    if (known == null && !fiber.pass().isCompensating()) {
      long number = parts.ids().next();
      Wait link =
          Wait.link(
              number,
              Tokens.hash(token),
              who.tenant(),
              who.run(),
              approval,
              approver,
              parts.clock().now(),
              key);
      fiber.add(
          new WaitEntry.ApprovalLinked(approval, number, approver, recorded(key)),
          new Change.OpenWait(link));
    }
    return token;
  }

  @Nullable String awaitApproval(
      Step step, @Nullable StepState state, Approval approval, boolean canRework) {
    if (state instanceof StepState.Asked asked) {
      return hear(step, asked, null);
    }
    var who = fiber.identity();
    long number = parts.ids().next();
    Instant until = until(approval.expires());
    boolean failsIfRejected = approval.onReject() == Approval.OnReject.FAIL;
    var question =
        new Wait.Question(
            approval.ask(), approval.roles(), canRework, expiryOf(approval), approval.limits());
    Instant now = parts.clock().now();
    int key = parts.tokens().currentKey();
    Wait wait = Wait.approval(number, who.tenant(), who.run(), step, question, now, until, key);
    List<Notice> notices = notices(wait, approval.notices());
    fiber.add(
        new WaitEntry.ApprovalAsked(
            step,
            number,
            approval.ask(),
            approval.roles(),
            until,
            failsIfRejected,
            approval.limits().text()),
        new Change.OpenWait(wait));
    notices.forEach(this::tell);
    throw rest(step, number, parts.clock().now(), until);
  }

  /** The receiver of a link may be a value from outside. */
  static void checkApprover(String approval, String approver) {
    if (approver.isBlank()
        || approver.length() > LONGEST_APPROVER
        || !Text.isStorable(approver)
        || approver.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "approver of approval '%s': expected a name or an address of 1 to %d characters without control characters"
              .formatted(approval, LONGEST_APPROVER));
    }
  }

  private record Notice(RunEntry.Notified entry, NewRun delivery) {}

  /** Made before anything is written: a message may be too large. */
  private List<Notice> notices(Wait wait, List<Message> messages) {
    var making = new ApprovalNotice(fiber.identity(), wait);
    List<Notice> notices = new ArrayList<>();
    for (Message message : messages) {
      NewRun delivery = making.delivery(notices.size(), message, parts.ids().next());
      notices.add(
          new Notice(
              new RunEntry.Notified(
                  wait.step(), delivery.key(), message.destination(), delivery.id().toString()),
              delivery));
    }
    return notices;
  }

  /** In the commit of the question, so that people hear of it once in each round. */
  private void tell(Notice notice) {
    fiber.add(notice.entry(), new Change.Spawn(notice.delivery()));
  }

  private static String expiryOf(Approval approval) {
    Decision.Choice choice =
        switch (approval.onExpire()) {
          case APPROVE -> Decision.Choice.APPROVE;
          case REJECT -> Decision.Choice.REJECT;
        };
    return Json.write(new Decision(choice, null, "nobody decided in time", null));
  }

  // ---- both

  /** The run is to be canceled, and will learn of it. */
  private Unwind isClosed() {
    return fiber.park(RunStatus.WAITING, parts.clock().now());
  }

  /** The run was woken, or looks again after a crash: the row holds the state of its wait. */
  private @Nullable String hear(Step step, StepState.Asked asked, @Nullable Duration expires) {
    Wait wait = parts.store().waits().find(asked.number());
    if (wait == null) {
      throw fiber.mismatch(step, "its journal waits in step " + step + ", but the wait is gone");
    }
    if (isSettled(wait)) {
      return settle(step, asked, wait);
    }
    if (wait.state() == WaitState.CLOSED) {
      throw isClosed();
    }
    Instant until = wait.expiresAt();
    if (until == null && asked.expiresAt() != null) {
      throw park(step, asked.number(), expires); // opened again by a retry, with its whole time
    }
    if (until == null || parts.clock().now().isBefore(until)) {
      Instant since = asked.since();
      throw rest(step, asked.number(), since == null ? wait.createdAt() : since, until);
    }
    Answer.Heard heard = expire(wait);
    if (heard.state() == WaitState.CLOSED) {
      throw isClosed(); // since it was read
    }
    return settle(
        step,
        asked,
        new WaitEntry.WaitSettled(
            step, wait.number(), heard.state(), heard.decision(), heard.by(), heard.at()));
  }

  /** Waits until the answer or the expiry; if that takes too long, alerts people once. */
  private Unwind rest(Step step, long number, Instant since, @Nullable Instant until) {
    var who = fiber.identity();
    Alerts alerts = fiber.pass().alerts();
    Instant tellAt = since.plus(alerts.tooLong());
    boolean isOverBefore = until != null && !tellAt.isBefore(until);
    if (isOverBefore || !alerts.isWanted(Alert.WAITING_TOO_LONG, who)) {
      return fiber.park(RunStatus.WAITING, until);
    }
    if (parts.clock().now().isBefore(tellAt)) {
      return fiber.park(RunStatus.WAITING, tellAt);
    }
    NewRun message = alerts.aboutWait(who, step, number, since, parts.ids().next());
    if (!book().wasTold(message.key())) {
      fiber.add(
          new RunEntry.Alerted(Alert.WAITING_TOO_LONG, message.key(), message.id().toString()),
          new Change.Spawn(message));
    }
    return fiber.park(RunStatus.WAITING, until);
  }

  /**
   * Uses its own commit, which needs no owner. The row decides whether the time is over, and an
   * earlier decision counts.
   */
  private Answer.Heard expire(Wait wait) {
    List<Change> changes = List.of(new Change.ExpireWait(wait.number()));
    var group = Group.always(parts.ids().next(), parts.clock().now(), changes);
    if (parts.committer().submit(group).await() instanceof GroupAnswer.Landed landed
        && landed.answers().getFirst() instanceof Answer.Heard heard) {
      return heard;
    }
    throw new StoreBroken("wait " + wait.id() + " could not be settled", null);
  }

  private static boolean isSettled(Wait wait) {
    return wait.state() == WaitState.DECIDED || wait.state() == WaitState.EXPIRED;
  }

  private @Nullable String settle(Step step, StepState.Asked asked, Wait wait) {
    return settle(
        step,
        asked,
        new WaitEntry.WaitSettled(
            step, wait.number(), wait.state(), wait.decision(), wait.by(), wait.settledAt()));
  }

  private @Nullable String settle(Step step, StepState.Asked asked, WaitEntry.WaitSettled settled) {
    fiber.add(settled);
    return switch (WaitOutcome.of(asked, settled)) {
      case StepState.Finished(_, var output) -> output;
      case StepState.Failed(_, var error) -> throw StepFailures.of(error);
      default -> throw fiber.mismatch(step, "its wait is settled and open at once");
    };
  }

  private @Nullable Instant until(@Nullable Duration expires) {
    return expires == null
        ? null
        : Instant.ofEpochMilli(parts.clock().now().plus(expires).toEpochMilli());
  }

  private WaitBook book() {
    return fiber.journal().replay().waits();
  }
}

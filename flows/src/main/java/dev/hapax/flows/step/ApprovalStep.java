package dev.hapax.flows.step;

import dev.hapax.flow.Approval;
import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Message;
import dev.hapax.flows.alert.ChannelForm;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question to people.
 *
 * @param roles empty: anybody may decide
 * @param rework the step that a rework goes back to; null if there is none
 * @param limits who may decide, beside the roles
 * @param notices the channels of its message to people
 */
public record ApprovalStep(
    Position position,
    Template ask,
    List<String> roles,
    @Nullable Duration expires,
    Approval.OnExpire onExpire,
    Approval.OnReject onReject,
    @Nullable String rework,
    int maxRounds,
    DeciderLimits limits,
    List<ChannelForm> notices)
    implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "approval",
          "A question to people.",
          ApprovalStep::read,
          Shape.of("approval", "approval")
              .must("ask", Types.TEMPLATE, "The question.")
              .may("roles", new Type.Texts(), "The roles that may decide; without it, anyone may.")
              .may(
                  "notBy",
                  Types.words("starter"),
                  "Who may not decide: starter refuses the caller who started the run.")
              .may(
                  "requireToken",
                  new Type.Flag(),
                  "Whether deciding needs a token; then the link only shows the approval.")
              .may("expires", Types.TIME, "How long the approval can be decided.")
              .may(
                  "onExpire",
                  Types.words("reject", "approve"),
                  "The outcome if the approval expires without a decision.")
              .may("onReject", Types.words("fail", "continue"), "What a rejection does to the run.")
              .may("rework", Types.ID, "The step that a rework goes back to.")
              .may("maxRounds", new Type.Whole(1, 100), "The most rounds; default 3.")
              .may(
                  "notify",
                  new Type.ListOf(ChannelForm.SHAPE),
                  "The channels of a message to the people who decide, sent when the approval is asked, once in each round.")
              .build());

  private static ApprovalStep read(StepSource source) {
    Fields approval = source.fields();
    return new ApprovalStep(
        source.position(),
        approval.template("ask"),
        approval.list("roles"),
        approval.time("expires"),
        approval.word(Approval.OnExpire.class, "onExpire", Approval.OnExpire.REJECT),
        approval.word(Approval.OnReject.class, "onReject", Approval.OnReject.FAIL),
        approval.textOrNull("rework"),
        approval.whole("maxRounds", 3),
        new DeciderLimits(approval.has("notBy"), approval.flag("requireToken")),
        ChannelForm.read(approval.list("notify")));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Stream.concat(Templates.of(ask), notices.stream().flatMap(ChannelForm::templates));
  }

  @Override
  public Map<String, @Nullable Object> run(StepRun step) {
    return output(step.run().approval(step.id(), question(step)));
  }

  /** Returns the question, for a caller that asks it in rounds. */
  public Approval question(StepRun step) {
    String text = Guarded.prepared(step, () -> step.text(ask));
    return new Approval(
        text, roles, expires, onExpire, onReject, limits, step.isDraft() ? List.of() : told(step));
  }

  private List<Message> told(StepRun preparing) {
    return Guarded.prepared(
        preparing,
        () -> {
          StepRun step = preparing.with(preparing.scope().asOneValue());
          return notices.stream()
              .map(form -> form.in(step.scope()))
              .map(
                  channel ->
                      Message.to(channel.kind().destination())
                          .type("hapax.approval.asked")
                          .data(channel))
              .toList();
        });
  }

  @Override
  public Stream<ChannelForm> channels() {
    return notices.stream();
  }

  @Override
  public Stream<String> connections() {
    return notices.stream().map(ChannelForm::connection).filter(Objects::nonNull);
  }

  /** Returns a decision as expressions see it. */
  public static Map<String, @Nullable Object> output(Decision decision) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("decision", decision.decision().word());
    output.put("by", decision.by());
    output.put("comment", decision.comment());
    output.put("values", decision.values(Object.class));
    if (decision.onlyClaims()) {
      output.put("claimed", true);
    }
    return output;
  }

  @Override
  public @Nullable String decidersThatMayBeMissed() {
    boolean isMissed = limits.needsProof() && onExpire == Approval.OnExpire.APPROVE;
    return isMissed ? limits.text() : null;
  }

  @Override
  public boolean asksPeople() {
    return true;
  }

  @Override
  public boolean asksForever() {
    return expires == null;
  }

  @Override
  public Waiting waiting() {
    String people =
        roles.isEmpty()
            ? "anyone who may decide approvals"
            : "people with role " + String.join(" or ", roles);
    String text = limits.text();
    return new Waiting(word(), text == null ? people : people + ", " + text, withoutDecision());
  }

  private String withoutDecision() {
    if (expires == null) {
      return "it waits without a limit";
    }
    String rejected =
        onReject == Approval.OnReject.FAIL
            ? "rejected, and the run fails"
            : "rejected, and the run goes on";
    return "after %s it is %s"
        .formatted(
            Durations.text(expires), onExpire == Approval.OnExpire.APPROVE ? "approved" : rejected);
  }

  @Override
  public Look look() {
    return Look.ASK;
  }

  @Override
  public String description() {
    return ask.plain();
  }

  /** The roles that are asked, the expiry and the way back. */
  @Override
  public String note() {
    String who = roles.isEmpty() ? "anybody" : String.join(", ", roles);
    String until = expires == null ? "" : " · within " + Durations.text(expires);
    String back = rework == null ? "" : " · back to " + rework;
    String text = limits.text();
    return who + (text == null ? "" : " · " + text) + until + back;
  }
}

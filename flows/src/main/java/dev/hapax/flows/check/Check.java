package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.FlowReader;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a flow file and applies all rules. Needs no server, and resolves no connection. */
public final class Check {
  private static final List<Rule> RULES =
      List.of(
          new UnknownStep(),
          new LaterStep(),
          new ItemOutsideLoop(),
          new LockOutsideLock(),
          new IndexOutsideRepeat(),
          new ReturnInside(),
          new NotSupportedYet(),
          new ReservedKey(),
          new ReservedName(),
          new MissingEffect(),
          new GuardDoesNotFit(),
          new ReworkDoesNotFit(),
          new UnstableKey(),
          new ModelKey(),
          new ModelSchema(),
          new LookupWithoutFound(),
          new ReconcileWithoutList(),
          new ReconcileSchedule(),
          new LookupComparesNothing(),
          new WindowShorterThanRetries(),
          new RetentionShorterThanRetries(),
          new TriggerInput(),
          new OrderedWithoutLine(),
          new WireHeader(),
          new DotSegment(),
          new FlowWithoutKey(),
          new ToolName(),
          new ConstantKey(),
          new BroadKey(),
          new KeyBroaderThanRun(),
          new NarrowKey(),
          new VolatileKey(),
          new BucketConflict(),
          new PersonalWithoutSubject(),
          new PersonalKey(),
          new PostedUpsert(),
          new UnguardedBeforeFailure(),
          new UnguardedMoney(),
          new EffectBeforeValidation(),
          new NotifyBeforeConfirmation(),
          new CreateWithoutExternalId(),
          new CreateInsteadOfUpsert(),
          new ReworkedCreate(),
          new ModelWithoutCache(),
          new ModelChildInput(),
          new ModelReadKey(),
          new ApprovalWithoutExpiry(),
          new UnattendedApproval(),
          new UntoldApproval(),
          new WebhookNone(),
          new WebhookWithoutEvent(),
          new WebhookUnsignedId(),
          new WebhookReplayAllowed(),
          new TiedVersionKey(),
          new ScheduleWithoutTimezone(),
          new ScheduleShorterThanTimeout(),
          new LoopWithoutItemKey(),
          new LookupWithoutSettle(),
          new WindowWithoutLookup(),
          new RetentionShorterThanRedelivery(),
          new RetentionShorterThanWindow(),
          new UnusedStep(),
          new UnreachableStep());

  private Check() {}

  /**
   * The findings, and the flow if it could be read.
   *
   * @param file null if it cannot be made into a flow; then there are errors
   * @param source the text that was read
   */
  public record Result(@Nullable FlowFile file, List<Finding> findings, String source) {
    public boolean hasErrors() {
      return findings.stream().anyMatch(finding -> finding.level() == Level.ERROR);
    }

    /** Returns text for people: one finding per paragraph, with its line; empty if all is well. */
    public String text() {
      return findings.stream()
          .map(
              finding ->
                  "%s %s %s: %s.%n%s  %s"
                      .formatted(
                          finding.position(),
                          finding.level().word(),
                          finding.rule(),
                          finding.message(),
                          excerpt(finding),
                          finding.fix()))
          .collect(Collectors.joining("\n"));
    }

    /** Returns the line of a finding, with a mark below its place; empty if there is none. */
    public String excerpt(Finding finding) {
      return Excerpt.of(source, finding.position());
    }

    /** Returns JSON for programs: {@code {"findings": […]}}. */
    public String json() {
      return Json.write(Map.of("findings", findings.stream().map(Finding::json).toList()));
    }
  }

  /**
   * Reads and checks the text of a file.
   *
   * @param name of the file, for positions
   */
  public static Result check(String name, String text) {
    return check(name, text, rule -> true);
  }

  /** As above, for a release of this format; rules that came after it only apply to new files. */
  public static Result checkRelease(String name, String text, FlowFormat format) {
    return check(
        name, text, rule -> rule.appliesToReleases() && rule.since().compareTo(format) <= 0);
  }

  private static Result check(String name, String text, Predicate<Rule> applies) {
    FlowReader.Result read = FlowReader.read(name, text);
    var findings = new ArrayList<Finding>();
    for (FileProblem problem : read.problems()) {
      findings.add(
          new Finding(
              problem.rule(), Level.ERROR, problem.position(), problem.message(), problem.fix()));
    }
    FlowFile file = read.file();
    FlowFile parts = read.parts();
    if (parts != null) {
      for (Rule rule : RULES) {
        if (applies.test(rule) && (file != null || !rule.needsWholeFile())) {
          rule.check(
              parts,
              (position, message, fix) ->
                  findings.add(new Finding(rule.id(), rule.level(), position, message, fix)));
        }
      }
    }
    findings.sort(Comparator.comparing(Finding::position));
    return new Result(file, List.copyOf(findings), text);
  }

  /** Returns the ids of all rules except those of reading. */
  public static List<String> rules() {
    return RULES.stream().map(Rule::id).toList();
  }

  /** Returns the ids of the rules of this level. */
  static List<String> rules(Level level) {
    return RULES.stream().filter(rule -> rule.level() == level).map(Rule::id).toList();
  }
}

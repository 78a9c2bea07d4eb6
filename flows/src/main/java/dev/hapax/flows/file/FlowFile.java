package dev.hapax.flows.file;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Rate;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.Channel;
import dev.hapax.flows.alert.ChannelForm;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.yaml.JsonSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A flow as described in its file.
 *
 * @param runbook what people should do when a run fails or needs them; null if it does not say
 * @param key null if the file gives none
 * @param searchable the fields by which its runs can be found
 * @param subject the person whom a run is about; null if it does not say
 * @param rate how many of its runs begin in a period; null: any number
 * @param timeout null: no limit
 * @param isTool whether agents can call it as a tool over MCP
 */
public record FlowFile(
    Position position,
    String name,
    @Nullable String description,
    List<String> labels,
    @Nullable String runbook,
    @Nullable JsonSchema input,
    @Nullable Template key,
    Map<String, Template> searchable,
    @Nullable Template subject,
    Flow.Conflict conflict,
    Duration retention,
    Flow.AfterRetention afterRetention,
    @Nullable Concurrency concurrency,
    @Nullable Rate rate,
    Flow.OnNewRelease onNewRelease,
    Flow.OnFailure onFailure,
    @Nullable Duration timeout,
    AlertPlan alerts,
    boolean isTool,
    List<Trigger> triggers,
    List<FlowStep> steps,
    @Nullable ValueTemplate output) {

  /** The word that makes the hash of the canonical input the key. */
  public static final String FINGERPRINT = "fingerprint";

  /** How many runs are active at once, per key if it has one. */
  public record Concurrency(@Nullable Template key, int limit, Overflow overflow) {}

  FlowFile withSteps(List<FlowStep> others) {
    return new FlowFile(
        position,
        name,
        description,
        labels,
        runbook,
        input,
        key,
        searchable,
        subject,
        conflict,
        retention,
        afterRetention,
        concurrency,
        rate,
        onNewRelease,
        onFailure,
        timeout,
        alerts,
        isTool,
        triggers,
        others,
        output);
  }

  public boolean isKeyedByFingerprint() {
    return key != null && key.isConstant() && key.source().equals(FINGERPRINT);
  }

  /** Returns the names of all connections that it uses. */
  public Set<String> connections() {
    return uses().stream()
        .map(ConnectionUse::connection)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns every place where it uses a connection, in the order of the file. */
  public List<ConnectionUse> uses() {
    return Stream.of(
            alerts.all().flatMap(channel -> ConnectionUse.of(channel, position)),
            triggers.stream().flatMap(ConnectionUse::of),
            allSteps().stream().flatMap(ConnectionUse::of))
        .flatMap(Function.identity())
        .toList();
  }

  /** Returns the flows that its alerts and notices start. */
  public Set<String> notifiedFlows() {
    var names = new TreeSet<String>();
    alerts
        .all()
        .filter(channel -> channel.kind() == Channel.Kind.FLOW)
        .forEach(channel -> names.add(channel.name()));
    allSteps()
        .forEach(
            step ->
                step.kind()
                    .channels()
                    .map(ChannelForm::flow)
                    .filter(Objects::nonNull)
                    .forEach(names::add));
    return names;
  }

  /** Whether it tells people anything, by alerts or notices. */
  public boolean usesChannels() {
    return !alerts.isEmpty()
        || allSteps().stream().anyMatch(step -> step.kind().channels().findAny().isPresent());
  }

  /** Returns what reads the output of this step, in words; null if nothing does. */
  public @Nullable String readerOf(String step) {
    for (FlowStep one : allSteps()) {
      boolean reads = one.templates().anyMatch(text -> readsOutput(text.reach().paths(), step));
      if (reads && !one.id().equals(step)) {
        return "step '%s' of flow '%s'".formatted(one.id(), name);
      }
    }
    return output != null && readsOutput(output.reach().paths(), step)
        ? "the output of flow '%s'".formatted(name)
        : null;
  }

  /** Other properties of a step, such as its external id, are known without its output. */
  private static boolean readsOutput(Collection<List<String>> paths, String step) {
    return paths.stream()
        .filter(path -> !path.isEmpty() && path.getFirst().equals("steps"))
        .anyMatch(
            path ->
                path.size() == 1
                    || (path.get(1).equals(step)
                        && (path.size() == 2 || path.get(2).equals("output"))));
  }

  /** Returns all steps, including inner ones, in the order of the file. */
  public List<FlowStep> allSteps() {
    var all = new ArrayList<FlowStep>();
    steps.forEach(step -> step.walk(all::add));
    return all;
  }
}

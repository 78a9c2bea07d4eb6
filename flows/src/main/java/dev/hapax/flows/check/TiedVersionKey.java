package dev.hapax.flows.check;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Tie;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A webhook whose events can have equal versions with other input, while the run's key is made only
 * of object and version: the second event would meet the run of the first.
 */
final class TiedVersionKey implements Rule {
  @Override
  public String id() {
    return "tied-version-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    Template key = flow.key();
    if (key == null || flow.isKeyedByFingerprint() || flow.conflict() == Flow.Conflict.NEW) {
      return;
    }
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof WebhookTrigger webhook
          && webhook.object() != null
          && webhook.version() != null
          && webhook.tie() != Tie.REJECT
          && isSameForTies(key, webhook)) {
        report.add(
            key.position(),
            "the key has only what two events with an equal version of webhook '%s' share, so the second one with other input %s"
                .formatted(
                    webhook.path(),
                    flow.conflict() == Flow.Conflict.RETURN
                        ? "gets the run of the first and starts nothing"
                        : "is recorded as conflicting and starts nothing"),
            "Add 'conflict: new', so that each input has its own run, or 'tie: reject' to the webhook if an equal version never has other input.");
      }
    }
  }

  /** Whether the key is made of object and version alone, and the input has more than these. */
  private static boolean isSameForTies(Template key, WebhookTrigger webhook) {
    Set<List<String>> shared =
        Stream.of(webhook.object(), webhook.version())
            .flatMap(template -> template == null ? Stream.empty() : paths(template))
            .collect(HashSet::new, Set::add, Set::addAll);
    ValueTemplate input = webhook.input();
    boolean inputHasMore =
        input == null || input.templates().flatMap(TiedVersionKey::paths).anyMatch(isNotIn(shared));
    if (!inputHasMore) {
      return false;
    }
    for (List<String> read : paths(key).toList()) {
      Set<List<String>> sources = sources(read, input);
      if (sources == null || sources.stream().anyMatch(isNotIn(shared))) {
        return false;
      }
    }
    return true;
  }

  private static Predicate<List<String>> isNotIn(Set<List<String>> shared) {
    return path -> !shared.contains(path);
  }

  private static Stream<List<String>> paths(Template template) {
    return template.reach().paths().stream();
  }

  /** Returns which parts of the event the key reads by this path; null if that is not known. */
  private static @Nullable Set<List<String>> sources(
      List<String> read, @Nullable ValueTemplate input) {
    if (!read.getFirst().equals("input")) {
      return null;
    }
    List<String> rest = read.subList(1, read.size());
    return input == null ? Set.of(joined(List.of("event", "body"), rest)) : within(input, rest);
  }

  /** As above, for a path below a part of the input. */
  private static @Nullable Set<List<String>> within(
      @Nullable ValueTemplate part, List<String> rest) {
    return switch (part) {
      case ValueTemplate.Mapping mapping when !rest.isEmpty() ->
          within(mapping.members().get(rest.getFirst()), rest.subList(1, rest.size()));
      case ValueTemplate.Text(var template) when rest.isEmpty() -> template.reach().paths();
      case ValueTemplate.Text(var template) when template.onlyExpression() != null ->
          onlyPath(template.reach().paths(), rest);
      case null, default -> null;
    };
  }

  private static @Nullable Set<List<String>> onlyPath(Set<List<String>> paths, List<String> rest) {
    return paths.size() == 1 ? Set.of(joined(paths.iterator().next(), rest)) : null;
  }

  private static List<String> joined(List<String> first, List<String> rest) {
    return Stream.concat(first.stream(), rest.stream()).toList();
  }
}

package dev.hapax.flows.graph;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import dev.hapax.flows.file.Trigger;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words of a picture about a step. */
final class Wording {
  private Wording() {}

  /** Describes the step in a few words. */
  static String of(StepKind kind) {
    return switch (kind) {
      case StepKind.Http http -> http.method() + " " + place(http);
      case StepKind.Db db -> "%s: %s".formatted(db.connection(), db.sql());
      case StepKind.Kv kv ->
          "kv %s %s".formatted(camel(kv.operation().name()), plain(kv.key().source()));
      case StepKind.ResourcePut _ -> "store as a resource";
      case StepKind.ResourceGet get -> "load " + plain(get.ref().source());
      case StepKind.Llm llm -> "ask model " + plain(llm.model().source());
      case StepKind.Ssh ssh -> "%s: %s".formatted(ssh.connection(), ssh.run());
      case StepKind.Email email -> "mail to " + value(email.to());
      case StepKind.Publish publish ->
          "publish %s to %s"
              .formatted(
                  plain(publish.type().source()), target(publish.connection(), publish.url()));
      case StepKind.WaitFor wait -> "wait " + plain(wait.length().source());
      case StepKind.WaitUntil wait -> "wait until " + plain(wait.time().source());
      case StepKind.WaitCallback wait ->
          "wait for an answer"
              + (wait.expires() == null ? "" : ", at most " + Durations.text(wait.expires()));
      case StepKind.Ask ask -> plain(ask.ask().source());
      case StepKind.ChildFlow child -> "flow " + child.name();
      case StepKind.Parallel _ -> "all at the same time";
      case StepKind.Choose _ -> "the first that holds";
      case StepKind.SetValues set -> "set " + String.join(", ", set.values().members().keySet());
      case StepKind.Fail fail -> "fails with " + fail.code();
      case StepKind.Call call -> "call " + call.handler();
    };
  }

  private static String place(StepKind.Http http) {
    Template url = http.url();
    Template path = http.path();
    return url != null
        ? plain(url.source())
        : http.connection() + (path == null ? "" : " " + plain(path.source()));
  }

  private static String target(@Nullable String connection, @Nullable Template url) {
    return connection != null ? connection : url == null ? "" : plain(url.source());
  }

  private static String value(ValueTemplate template) {
    return template.templates().map(one -> plain(one.source())).collect(Collectors.joining(", "));
  }

  private static String camel(String constant) {
    String[] words = constant.toLowerCase(Locale.ROOT).split("_", -1);
    var joined = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      joined.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return joined.toString();
  }

  static String effect(EffectContract effect) {
    return effect.kind().name().toLowerCase(Locale.ROOT) + " · " + effect.guard().word();
  }

  /** Returns the roles that are asked, the expiry and the way back. */
  static String asking(StepKind.Ask ask) {
    String who = ask.roles().isEmpty() ? "anybody" : String.join(", ", ask.roles());
    String until = ask.expires() == null ? "" : " · within " + Durations.text(ask.expires());
    String back = ask.rework() == null ? "" : " · back to " + ask.rework();
    return who + until + back;
  }

  static String loop(Step.ForEach forEach) {
    Template key = forEach.itemKey();
    return "for each of %s%s · %d at once"
        .formatted(
            plain(forEach.items().source()),
            key == null ? "" : ", by " + plain(key.source()),
            forEach.atOnce());
  }

  static String trigger(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Webhook webhook -> "POST /hooks/" + webhook.path();
      case Trigger.Schedule schedule ->
          schedule.cron().text()
              + (schedule.timezone() == null ? "" : " " + schedule.timezone().getId());
      case Trigger.Queue queue -> "queue " + queue.queue();
    };
  }

  static String key(FlowFile flow) {
    Template key = flow.key();
    if (key == null) {
      return "a run per start";
    }
    return "one run per " + (flow.isKeyedByFingerprint() ? "input" : plain(key.source()));
  }

  /** A text with expressions, as people read it: a single expression loses its braces. */
  static String plain(String source) {
    boolean single = source.startsWith("${") && source.indexOf('}') == source.length() - 1;
    return single
        ? source.substring(2, source.length() - 1).strip()
        : source.replace("$${", "\0").replace("${", "{").replace("\0", "${");
  }
}

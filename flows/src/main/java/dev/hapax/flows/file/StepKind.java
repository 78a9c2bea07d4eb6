package dev.hapax.flows.file;

import dev.hapax.flow.Approval;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of steps: one record per kind. */
public sealed interface StepKind {
  Position position();

  /** The kind's key in the file. */
  String word();

  /** Whether it changes something outside, and so needs an effect. */
  default boolean writes() {
    return false;
  }

  /** The connection that it uses; null if there is none. */
  default @Nullable String connection() {
    return null;
  }

  /** Its own texts that may contain expressions, without those of inner steps. */
  Stream<Template> templates();

  private static Stream<Template> of(@Nullable Object... parts) {
    return Stream.of(parts)
        .flatMap(
            part ->
                switch (part) {
                  case null -> Stream.empty();
                  case Template template -> Stream.of(template);
                  case ValueTemplate value -> value.templates();
                  default -> Stream.empty();
                });
  }

  /**
   * An HTTP request.
   *
   * @param connection null if it has a URL
   */
  record Http(
      Position position,
      @Nullable String connection,
      @Nullable Template url,
      String method,
      @Nullable Template path,
      ValueTemplate.Mapping query,
      ValueTemplate.Mapping headers,
      @Nullable ValueTemplate body,
      Meanings meanings)
      implements StepKind {
    @Override
    public String word() {
      return "http";
    }

    @Override
    public boolean writes() {
      return !method.equals("GET") && !method.equals("HEAD");
    }

    /** Whether the method itself may be repeated. */
    public boolean isIdempotent() {
      return method.equals("PUT") || method.equals("DELETE");
    }

    @Override
    public Stream<Template> templates() {
      return of(url, path, query, headers, body);
    }
  }

  /** Status codes with an unusual meaning. */
  record Meanings(Set<Integer> notApplied, Set<Integer> alreadyDone, Set<Integer> inFlight) {
    public static final Meanings USUAL = new Meanings(Set.of(), Set.of(), Set.of());
  }

  /** A statement in a user's database. */
  record Db(Position position, String connection, String sql, ValueTemplate.Mapping params)
      implements StepKind {
    @Override
    public String word() {
      return "db";
    }

    @Override
    public boolean writes() {
      return !Sql.reads(sql);
    }

    @Override
    public Stream<Template> templates() {
      return of(params);
    }
  }

  /** An operation on the tenant's durable map. */
  record Kv(
      Position position,
      Operation operation,
      Template key,
      @Nullable ValueTemplate value,
      @Nullable Template version,
      @Nullable Duration ttl)
      implements StepKind {
    /** The operation on the entry. */
    public enum Operation {
      GET,
      PUT,
      PUT_IF_ABSENT,
      COMPARE_AND_SET,
      DELETE
    }

    @Override
    public String word() {
      return "kv";
    }

    @Override
    public Stream<Template> templates() {
      return of(key, value, version);
    }
  }

  /** Stores a large value. */
  record ResourcePut(Position position, ValueTemplate value, @Nullable String contentType)
      implements StepKind {
    @Override
    public String word() {
      return "resource";
    }

    @Override
    public Stream<Template> templates() {
      return of(value);
    }
  }

  /** Reads a large value. */
  record ResourceGet(Position position, Template ref) implements StepKind {
    @Override
    public String word() {
      return "resource";
    }

    @Override
    public Stream<Template> templates() {
      return of(ref);
    }
  }

  /** A call to a language model. */
  record Llm(
      Position position,
      String connection,
      Template model,
      ValueTemplate messages,
      @Nullable JsonSchema schema,
      String cache)
      implements StepKind {
    @Override
    public String word() {
      return "llm";
    }

    @Override
    public Stream<Template> templates() {
      return of(model, messages);
    }
  }

  /** A command on another machine. */
  record Ssh(Position position, String connection, String run, @Nullable ValueTemplate args)
      implements StepKind {
    @Override
    public String word() {
      return "ssh";
    }

    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Stream<Template> templates() {
      return of(args);
    }
  }

  /** A mail. */
  record Email(
      Position position,
      String connection,
      ValueTemplate to,
      @Nullable ValueTemplate cc,
      Template subject,
      @Nullable Template text,
      @Nullable Template html)
      implements StepKind {
    @Override
    public String word() {
      return "email";
    }

    @Override
    public boolean writes() {
      return true;
    }

    @Override
    public Stream<Template> templates() {
      return of(to, cc, subject, text, html);
    }
  }

  /** A message for the outbox; it makes its own key. */
  record Publish(
      Position position,
      @Nullable String connection,
      @Nullable Template url,
      Template type,
      @Nullable ValueTemplate data)
      implements StepKind {
    @Override
    public String word() {
      return "publish";
    }

    @Override
    public Stream<Template> templates() {
      return of(url, type, data);
    }
  }

  /** A pause for a duration. */
  record WaitFor(Position position, Template length) implements StepKind {
    @Override
    public String word() {
      return "wait";
    }

    @Override
    public Stream<Template> templates() {
      return of(length);
    }
  }

  /** A pause until a time. */
  record WaitUntil(Position position, Template time) implements StepKind {
    @Override
    public String word() {
      return "wait";
    }

    @Override
    public Stream<Template> templates() {
      return of(time);
    }
  }

  /** A pause until an external caller answers. */
  record WaitCallback(Position position, @Nullable Duration expires, @Nullable JsonSchema schema)
      implements StepKind {
    @Override
    public String word() {
      return "wait";
    }

    @Override
    public Stream<Template> templates() {
      return Stream.empty();
    }
  }

  /** A question to people. */
  record Ask(
      Position position,
      Template ask,
      List<String> roles,
      @Nullable Duration expires,
      Approval.OnExpire onExpire,
      Approval.OnReject onReject,
      @Nullable String rework,
      int maxRounds)
      implements StepKind {
    @Override
    public String word() {
      return "approval";
    }

    @Override
    public Stream<Template> templates() {
      return of(ask);
    }
  }

  /** Another flow as a child run. */
  record ChildFlow(
      Position position, String name, @Nullable ValueTemplate input, @Nullable Template key)
      implements StepKind {
    @Override
    public String word() {
      return "flow";
    }

    @Override
    public Stream<Template> templates() {
      return of(input, key);
    }
  }

  /** Parallel branches. */
  record Parallel(Position position, Map<String, List<Step>> branches) implements StepKind {
    @Override
    public String word() {
      return "parallel";
    }

    @Override
    public Stream<Template> templates() {
      return Stream.empty();
    }
  }

  /** The first branch whose condition holds. */
  record Choose(Position position, List<Choice> choices) implements StepKind {
    @Override
    public String word() {
      return "choose";
    }

    @Override
    public Stream<Template> templates() {
      return choices.stream().flatMap(choice -> Stream.ofNullable(choice.when()));
    }
  }

  /**
   * A branch of a choice.
   *
   * @param when null for otherwise
   */
  record Choice(Position position, @Nullable Template when, List<Step> steps) {}

  /** Values that are computed once. */
  record SetValues(Position position, ValueTemplate.Mapping values) implements StepKind {
    @Override
    public String word() {
      return "set";
    }

    @Override
    public Stream<Template> templates() {
      return of(values);
    }
  }

  /** Fails the run. */
  record Fail(Position position, String code, @Nullable Template message, boolean retryable)
      implements StepKind {
    @Override
    public String word() {
      return "fail";
    }

    @Override
    public Stream<Template> templates() {
      return of(message);
    }
  }

  /** A handler in Java. */
  record Call(Position position, String handler, @Nullable ValueTemplate input, boolean pure)
      implements StepKind {
    @Override
    public String word() {
      return "call";
    }

    @Override
    public boolean writes() {
      return !pure;
    }

    @Override
    public Stream<Template> templates() {
      return of(input);
    }
  }
}

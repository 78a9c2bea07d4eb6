package dev.hapax.flows.simulation;

import java.util.List;

/** Writes a generated file down as a person would. */
final class FileText {
  private static final String RETRY =
      "retry: {attempts: 40, delay: 1s, factor: 2, maxDelay: 1m, jitter: 0.2, within: 20h}";
  private static final String PAGER = "[{webhook: {connection: pager}}]";

  private final StringBuilder text = new StringBuilder();
  private final String lock;

  /** Of a child another one: its caller may hold its own. */
  private FileText(String file) {
    this.lock = "lock-of-" + file;
  }

  static String of(PlannedFile file) {
    var writer = new FileText(file.name());
    writer.line(0, "flow: " + file.name());
    if (file.name().equals("main")) {
      writer.line(0, "key: ${input.id}");
      writer.line(0, "subject: ${input.id}");
      writer.line(
          0, "searchable: {id: \"${input.id}\", yes: \"${input.yes}\", no: \"${input.absent}\"}");
    }
    writer.line(0, "description: Drawn by chance.");
    writer.line(0, "labels: [drawn]");
    writer.line(0, "runbook: Ask the one who drew it.");
    writer.line(0, "input: {type: object, required: [id]}");
    writer.line(0, "conflict: reject");
    writer.line(0, "retention: 60d");
    writer.line(0, "afterRetention: expired");
    writer.line(0, "onNewRelease: coexist");
    writer.line(0, "onFailure: " + (file.compensates() ? "compensate" : "stop"));
    if (file.alerts()) {
      writer.alerts();
    }
    writer.line(0, "steps:");
    writer.list(1, file.parts(), false, false, false);
    writer.line(0, "output:");
    for (Part part : file.parts()) {
      writer.line(1, "%s: \"${steps.%s}\"".formatted(part.id(), part.id()));
      if (part.items() > 0) {
        writer.line(1, "%sitems: \"${steps.%s.items}\"".formatted(part.id(), part.id()));
      }
      if (hasFacts(part)) {
        writer.line(1, part.id() + "facts:");
        for (String fact : List.of("stale", "reused", "found", "externalId")) {
          writer.line(2, "%s: \"${steps.%s.%s}\"".formatted(fact, part.id(), fact));
        }
      }
    }
    return writer.text.toString();
  }

  private void alerts() {
    line(0, "alerts:");
    for (String alert :
        List.of(
            "failed",
            "review",
            "missed schedule",
            "waiting too long",
            "quarantined",
            "circuit open")) {
      line(1, alert + ": " + PAGER);
    }
    line(1, "after: 10m");
    line(1, "window: 1s");
  }

  /** Whether the output of its file says what is known about its effect. */
  static boolean hasFacts(Part part) {
    return part.items() == 0
        && switch (part.does()) {
          case SEND, TWICE, VERSIONS, FOUND -> true;
          default -> false;
        };
  }

  private void line(int depth, String line) {
    text.append("  ".repeat(depth)).append(line).append('\n');
  }

  private void list(int depth, List<Part> parts, boolean inLoop, boolean inRounds, boolean again) {
    parts.forEach(part -> part(depth, part, inLoop, inRounds, again));
  }

  private void part(int depth, Part part, boolean around, boolean inRounds, boolean again) {
    boolean inLoop = around || part.items() > 0;
    String label = label(part.id(), inLoop, inRounds, again);
    switch (part.does()) {
      case CALLBACK -> {
        // What hands the token out is left out with the wait that it is for.
        step(depth, part.id() + "ask", part.when());
        line(
            depth + 1,
            "http: {connection: world, method: POST, path: /keyed, body: {label: \"%s\", token: \"${callback('%s').token}\"}}"
                .formatted(label(part.id() + "ask", inLoop, inRounds, again), part.id()));
        effect(depth + 1, "keyed", inLoop, inRounds, again);
        line(depth + 1, RETRY);
        step(depth, part.id(), part.when());
        common(depth, part, around);
        line(
            depth + 1,
            "wait: {callback: {schema: {type: string}%s}}"
                .formatted(isSilent(part) ? ", expires: " + part.seconds() + "s" : ""));
        return;
      }
      case REWORK -> list(depth, part.blocks().getFirst(), around, true, again);
      case ASK -> {
        if (part.sendsLink()) {
          step(depth, part.id() + "link", part.when());
          line(
              depth + 1,
              "http: {connection: world, method: POST, path: /keyed, body: {label: \"%s\", link: \"${approval('%s', 'ann').url}\"}}"
                  .formatted(label(part.id() + "link", inLoop, inRounds, again), part.id()));
          effect(depth + 1, "keyed", inLoop, inRounds, again);
          line(depth + 1, RETRY);
        }
      }
      case TWICE -> {
        String first = label(part.id() + "first", inLoop, inRounds, again);
        step(depth, part.id() + "first", part.when());
        twice(depth + 1, part, first, inLoop, inRounds, again);
        step(depth, part.id(), part.when());
        common(depth, part, around);
        twice(depth + 1, part, first, inLoop, inRounds, again);
        return;
      }
      case VERSIONS -> {
        // Digits as a text are the same version as the number.
        String key = label("", inLoop, inRounds, again).strip();
        step(depth, part.id() + "new", part.when());
        version(depth + 1, part, label(part.id() + "new", inLoop, inRounds, again), key, "2");
        step(depth, part.id() + "tie", part.when());
        version(
            depth + 1,
            part,
            label(part.id() + "tie", inLoop, inRounds, again),
            key,
            "\"${'2'}\", tie: apply");
        step(depth, part.id(), part.when());
        common(depth, part, around);
        version(depth + 1, part, label, key, "1");
        return;
      }
      default -> {}
    }
    step(depth, part.id(), part.when());
    common(depth, part, around);
    int in = depth + 1;
    switch (part.does()) {
      case SEND -> send(in, part, label, inLoop, inRounds, again);
      case READ -> {
        String place =
            part.seconds() % 2 == 0
                ? "connection: world, path: /read"
                : "url: \"http://world.test/read\"";
        line(in, "http: {%s, query: {label: \"%s\"}}".formatted(place, label));
        line(in, RETRY);
      }
      case SET -> line(in, "set: {v: \"%s\", %s}".formatted(label, hostile(part)));
      case KV -> line(in, kv(part, label));
      case WAIT_FOR -> line(in, "wait: {for: %ds}".formatted(part.seconds()));
      case WAIT_UNTIL ->
          line(
              in,
              "wait: {until: \"2026-01-01T%02d:%02d:%02dZ\"}"
                  .formatted(part.seconds() / 3600, part.seconds() / 60 % 60, part.seconds() % 60));
      case ASK ->
          line(in, "approval: {ask: \"%s?\"%s%s}".formatted(label, onReject(part), notify(part)));
      case REWORK ->
          line(
              in,
              "approval: {ask: \"%s?\", rework: %s, maxRounds: %d%s%s}"
                  .formatted(
                      label,
                      firstId(part),
                      part.decisions().size() + 1,
                      onReject(part),
                      notify(part)));
      case CHILD, DETACH ->
          line(
              in,
              "flow: {name: child-%d, input: {id: \"%s\", yes: true, no: false, hostile: \"${input.hostile}\"}%s}"
                  .formatted(
                      part.child(),
                      label,
                      part.does() == Part.Does.DETACH
                          ? ", detach: true"
                          : ", key: \"%s\", onFailed: %s"
                              .formatted(label, part.seconds() % 2 == 0 ? "retry" : "fail")));
      case FOUND -> {
        line(
            in,
            "http: {connection: world, method: POST, path: /lookup, body: {label: \"%s\"}}"
                .formatted(label));
        line(
            in,
            "effect: {kind: create, key: \"%s\", externalId: \"${output.body.label}\", guard: {lookup: {http: {connection: world, path: /there, query: {label: \"%s\"}}, found: \"${response.status == 200}\", settle: 5s}}}"
                .formatted(label("", inLoop, inRounds, again).strip(), label));
        line(in, RETRY);
      }
      case RESOURCE ->
          line(in, "resource: {put: {value: \"%s\", contentType: text/plain}}".formatted(label));
      case FAIL ->
          line(
              in,
              "fail: {code: enough, message: \"no more of %s\", retryable: false}"
                  .formatted(label));
      case PUBLISH ->
          line(
              in,
              "publish: {%s, type: told, data: {label: \"%s\", %s}}"
                  .formatted(
                      part.seconds() % 2 == 0
                          ? "connection: hook"
                          : "url: \"http://world.test/publish\"",
                      label,
                      hostile(part)));
      case PARALLEL -> {
        line(in, "parallel:");
        line(in + 1, "branches:");
        for (int i = 0; i < part.blocks().size(); i++) {
          line(in + 2, "b" + i + ":");
          list(in + 3, part.blocks().get(i), inLoop, inRounds, again);
        }
      }
      case CHOOSE -> {
        line(in, "choose:");
        for (int i = 0; i < part.blocks().size(); i++) {
          Part.Condition condition = part.conditions().get(i);
          if (condition == Part.Condition.NONE) {
            line(in + 1, "- otherwise:");
            list(in + 3, part.blocks().get(i), inLoop, inRounds, again);
            break; // nothing comes behind it
          }
          line(in + 1, "- when: " + words(condition));
          line(in + 2, "steps:");
          list(in + 3, part.blocks().get(i), inLoop, inRounds, again);
        }
      }
      case EACH -> {
        line(in, "forEach:");
        line(in + 1, "items: ${" + items(part, around) + "}");
        line(in + 1, "atOnce: " + (1 + part.seconds() % 3));
        line(in + 1, "steps:");
        list(in + 2, part.blocks().getFirst(), true, inRounds, again);
      }
      case REPEAT -> {
        boolean isUntil = part.times() % 2 == 0;
        line(in, "repeat:");
        line(
            in + 1,
            isUntil
                ? "until: ${repeat.index + 1 == %d}".formatted(part.times())
                : "while: ${repeat.index < %d}".formatted(part.times()));
        line(in + 1, "maxRounds: " + part.times());
        line(in + 1, "steps:");
        list(in + 2, part.blocks().getFirst(), inLoop, inRounds, true);
      }
      case SAME_KEY -> sameKey(in, part, label, inLoop, again);
      case RETURN -> line(in, "return: {output: {returned: \"%s\"}}".formatted(label));
      case CALLBACK, TWICE, VERSIONS -> {}
    }
  }

  /** An operation on an entry of its own, so that its result does not depend on others. */
  private static String kv(Part part, String label) {
    String value = "{v: \"%s\", %s}".formatted(label, hostile(part));
    String entry =
        switch (part.kvCall()) {
          case PUT -> "put: {key: \"%s\", value: %s, ttl: 300d}";
          case PUT_IF_ABSENT -> "putIfAbsent: {key: \"%s\", value: %s, ttl: 300d}";
          case COMPARE_AND_SET ->
              "compareAndSet: {key: \"%s\", version: \"0\", value: %s, ttl: 300d}";
          case TRANSITION -> "transition: {key: \"%s\", from: [null, old], to: %s, ttl: 300d}";
          case ADD -> "add: {key: \"%s\", by: 7, ttl: 300d}";
          case GET -> "get: {key: \"%s\"}";
          case DELETE -> "delete: {key: \"%s\"}";
        };
    return "kv: {%s}".formatted(entry.formatted(label, value));
  }

  /** The key does not know the round, and the content does. */
  private void sameKey(int in, Part part, String label, boolean inLoop, boolean again) {
    line(
        in,
        "http: {connection: world, method: POST, path: /keyed, headers: {X-Step: %s}, body: {label: \"%s\"}}"
            .formatted(part.id(), label));
    line(
        in,
        "effect: {name: same-%s, kind: create, key: \"%s\", guard: keyed, onRework: %s}"
            .formatted(
                part.id(),
                label("", inLoop, false, again).strip(),
                switch (part.reworked()) {
                  case REUSED -> "reuse";
                  case KEPT, SENT -> "review";
                  case REVISED -> "revise";
                }));
    line(in, RETRY);
    if (part.reworked() == Part.Reworked.REVISED) {
      String sent = "${steps.%s.output.body.label}".formatted(part.id());
      line(in, "compensate:");
      line(
          in + 1,
          "http: {connection: world, method: POST, path: /keyed, body: {label: \"undo %s\"}}"
              .formatted(sent));
      line(in + 1, "effect: {kind: create, key: \"%s\", guard: keyed}".formatted(sent));
      line(in + 1, RETRY);
      line(in + 1, "timeout: 30s");
    }
  }

  private static String notify(Part part) {
    return part.isAnnounced() ? ", roles: [editor], notify: " + PAGER : "";
  }

  /** One of two steps with the same effect and the same content. */
  private void twice(
      int in, Part part, String content, boolean inLoop, boolean inRounds, boolean again) {
    line(
        in,
        "http: {connection: world, method: POST, path: /keyed, body: {label: \"%s\"}}"
            .formatted(content));
    line(
        in,
        "effect: {name: twice-%s, kind: create, key: \"%s\", guard: keyed, externalId: \"${output.body.label}\"}"
            .formatted(part.id(), label("", inLoop, inRounds, again).strip()));
    line(in, RETRY);
  }

  private void version(int in, Part part, String content, String key, String version) {
    line(
        in,
        "http: {connection: world, method: PUT, path: /upsert, body: {label: \"%s\"}}"
            .formatted(content));
    line(
        in,
        "effect: {name: versions-%s, kind: update, key: \"%s\", guard: upsert, externalId: \"${output.body.label}\", version: %s}"
            .formatted(part.id(), key, version));
    line(in, RETRY);
  }

  /** The first step that is written for the work; some parts are several. */
  static String firstId(Part rework) {
    Part first = rework.blocks().getFirst().getFirst();
    return switch (first.does()) {
      case CALLBACK -> first.id() + "ask";
      case TWICE -> first.id() + "first";
      case VERSIONS -> first.id() + "new";
      case ASK -> first.sendsLink() ? first.id() + "link" : first.id();
      default -> first.id();
    };
  }

  private static String onReject(Part part) {
    return switch (part.decisions().getLast()) {
      case REJECT_MILDLY -> ", onReject: continue";
      case SILENCE_APPROVES -> ", expires: %ds, onExpire: approve".formatted(part.seconds());
      case SILENCE_REJECTS -> ", expires: %ds".formatted(part.seconds());
      case APPROVE, REJECT, REWORK -> "";
    };
  }

  private static boolean isSilent(Part part) {
    return part.decisions().getLast() == Part.Decision.SILENCE_REJECTS;
  }

  private void step(int depth, String id, Part.Condition when) {
    line(depth, "- id: " + id);
    if (when != Part.Condition.NONE) {
      line(depth + 1, "when: " + words(when));
    }
  }

  private void common(int depth, Part part, boolean inOuterLoop) {
    if (part.items() > 0) {
      if (part.does() != Part.Does.EACH) {
        String items = "${" + items(part, inOuterLoop) + "}";
        line(
            depth + 1,
            part.seconds() % 2 == 0
                ? "forEach: " + items
                : "forEach: {items: \"%s\", atOnce: 2}".formatted(items));
      }
      line(depth + 1, "itemKey: ${item}");
    }
    if (part.goesOn()) {
      line(depth + 1, "onError: continue");
      line(depth + 1, "runbook: It goes on without this.");
    }
    if (part.isLocked()) {
      line(depth + 1, "lock: " + lock);
    }
  }

  private static String items(Part part, boolean inOuterLoop) {
    var items = new java.util.StringJoiner(", ", "[", "]");
    for (int i = 1; i <= part.items(); i++) {
      items.add((inOuterLoop ? "item + '" : "'i") + i + "'");
    }
    return items.toString();
  }

  private void send(
      int in, Part part, String label, boolean inLoop, boolean inRounds, boolean again) {
    String content =
        "{label: \"%s\", rejected: %s, %s%s}"
            .formatted(
                label,
                part.rejected(),
                hostile(part),
                part.isLocked() ? ", fence: \"${lock.fence}\"" : "");
    String body = "body: " + content;
    switch (part.guard()) {
      case KEYED -> line(in, "http: {connection: world, method: POST, path: /keyed, " + body + "}");
      case UPSERT ->
          line(in, "http: {connection: world, method: PUT, path: /upsert, " + body + "}");
      case LOOKUP ->
          line(in, "http: {connection: world, method: POST, path: /lookup, " + body + "}");
      case HANDLER -> line(in, "call: {handler: world, input: %s}".formatted(content));
      case TRANSACTION ->
          line(
              in,
              "db: {connection: books, sql: \"INSERT INTO sent (label, rejected) VALUES (:label, :rejected)\", params: {label: \"%s\", rejected: %s}}"
                  .formatted(label, part.rejected()));
      case MAIL ->
          line(
              in,
              "email: {connection: mail, to: %s@world.test, cc: [bob@world.test], subject: \"%s\", text: Hello, html: <p>Hello</p>}"
                  .formatted(part.rejected() ? "nobody" : "ann", label));
      case REVIEW, SKIP ->
          line(in, "http: {connection: world, method: POST, path: /once, " + body + "}");
    }
    effect(
        in,
        switch (part.guard()) {
          case KEYED ->
              part.seconds() % 2 == 0 ? "keyed" : "{keyed: {header: Idempotency-Key, window: 48h}}";
          case HANDLER -> "keyed";
          case UPSERT -> "upsert";
          case LOOKUP ->
              "{lookup: {http: {connection: world, path: /lookup, query: {label: \"%s\"}}, found: \"${response.status == 200}\", output: \"${response.body}\", settle: 5s}}"
                  .formatted(label);
          case TRANSACTION -> "transaction";
          case REVIEW, MAIL -> "none";
          case SKIP -> "{none: {onDoubt: skip}}";
        },
        inLoop,
        inRounds,
        again);
    line(in, RETRY);
    line(in, "timeout: 30s");
    if (part.undone()) {
      line(in, "compensate:");
      line(
          in + 1,
          "http: {connection: world, method: POST, path: /keyed, body: {label: \"undo %s\"}}"
              .formatted(
                  switch (part.guard()) {
                    case MAIL, TRANSACTION -> label;
                    case HANDLER -> "${steps.%s.output.label}".formatted(part.id());
                    default -> "${steps.%s.output.body.label}".formatted(part.id());
                  }));
      effect(in + 1, "keyed", inLoop, inRounds, again);
      line(in + 1, RETRY);
    }
  }

  private static String hostile(Part part) {
    return "hostile: \"%s\"".formatted(HostileValues.expression(part));
  }

  private void effect(int in, String guard, boolean inLoop, boolean inRounds, boolean again) {
    line(
        in,
        "effect: {kind: create, key: \"%s\", guard: %s}"
            .formatted(label("", inLoop, inRounds, again).strip(), guard));
  }

  /** What distinguishes this sending from all others; its key knows the round by the comment. */
  private static String label(String id, boolean inLoop, boolean inRounds, boolean again) {
    return id
        + " ${input.id}"
        + (inLoop ? " ${item}" : "")
        + (inRounds
            ? id.isEmpty() ? " ${rework == null ? 'r1' : rework.comment}" : " r${run.round}"
            : "")
        + (again ? " n${repeat.index}" : "");
  }

  private static String words(Part.Condition condition) {
    return switch (condition) {
      case YES, NONE -> "${input.yes}";
      case NO -> "${input.no}";
      case NOW -> "${now() > timestamp('2020-01-01T00:00:00Z')}";
      case NOT_NOW -> "${now() < timestamp('2020-01-01T00:00:00Z')}";
      case FIRST -> "${item.endsWith('1')}";
      case AGAIN -> "${rework != null}";
    };
  }
}

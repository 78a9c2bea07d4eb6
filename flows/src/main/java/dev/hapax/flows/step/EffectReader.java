package dev.hapax.flows.step;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the contract of a step or of a compensation, and leaves its guard to the kind of guard. */
final class EffectReader {
  private static final String SCHEDULE = "schedule";
  private static final String SCHEDULE_SHAPE = "reconcile-schedule";

  private EffectReader() {}

  /** Returns the shapes of a contract and of everything inside it, in the order of the docs. */
  static List<Shape> shapes() {
    var shapes = new ArrayList<Shape>();
    shapes.add(
        Shape.of("effect", "an effect")
            .may(
                "name",
                Types.NAME,
                "The name in the ledger, to share the effect between flows; default `flow/step`.")
            .must(
                "kind",
                Types.words("read", "create", "update", "notify", "additive"),
                "Decides when the effect counts as already handled.")
            .must(
                "key",
                Types.TEMPLATE,
                "The business key: two effects with the same key are the same intent. Another step or item with the same key and other content fails with `effect-key-reused`.")
            .must(
                "guard",
                new Type.WordOr(words(), "guard"),
                "The mechanism that makes a repeat safe.")
            .may(
                "version",
                Types.TEMPLATE,
                "The version of an update's content: a number, a time of RFC 3339 or a text. An older version is skipped as stale.")
            .may(
                "tie",
                Types.words("apply", "reject"),
                "What happens to other content under an equal version: `apply` sends it, `reject` fails the step with `effect-key-reused`. Default: `reject`.")
            .may(
                "onRework",
                Types.words("reuse", "review", "revise"),
                "What happens when the run meets its own `create` or `notify` again with other content, after a rework or a corrected input: `reuse` sends nothing, `review` asks a person, `revise` undoes the earlier one by `compensate` and sends the new one. Default: `reuse`.")
            .may(
                "externalId",
                new Type.Templated(Place.RESULT),
                "The destination's id for the effect.")
            .may(
                "reconcile",
                new Type.Of("reconcile"),
                "How to compare the destination with the ledger: by a list of its objects, or by the guard's lookup.")
            .build());
    Shape.Builder guard = Shape.of("guard", "a guard");
    for (GuardForm form : GuardKinds.ALL) {
      guard.either(form.word(), new Type.Of(form.shape().name()), form.doc());
    }
    shapes.add(guard.build());
    GuardKinds.ALL.forEach(form -> shapes.add(form.shape()));
    shapes.add(HttpTemplate.LOOKUP_SHAPE);
    shapes.add(
        Shape.of("reconcile", "reconcile")
            .may(
                "list",
                new Type.Of(HttpTemplate.LIST),
                "The request for a page of the list. Without it, each effect is looked up by the guard's lookup.")
            .may(
                "items",
                new Type.Templated(Place.LISTING),
                "Where the list is in the answer; default: the body.")
            .may(
                "next",
                new Type.Templated(Place.LISTING),
                "The cursor of the next page, which the request finds in `page.cursor`; empty after the last page. Without it there is one page.")
            .may(
                "key",
                new Type.Templated(Place.LISTED),
                "The effect's key in one entry of the list; a list needs it.")
            .may(
                "externalId",
                new Type.Templated(Place.LISTED),
                "The destination's id in one entry of the list.")
            .may(
                "fields",
                new Type.Members(Place.COMPARED),
                "Names, each with an expression that is true if the entry (`item`; of a lookup, the body that it found) agrees with the ledger (`effect`: `key`, `externalId`, `version`, `request`, `output`).")
            .may(
                "rate",
                new Type.Whole(1, 1000),
                "The most lookups, or pages of the list, in a second; default 10.")
            .may(SCHEDULE, new Type.Of(SCHEDULE_SHAPE), "When to reconcile by itself.")
            .build());
    shapes.add(
        Shape.of(SCHEDULE_SHAPE, "the schedule of reconcile")
            .must("cron", Types.TEXT, "Five fields: minute, hour, day, month, weekday.")
            .may(
                "timezone",
                Types.TEXT,
                "The time zone of the fields, such as Europe/Berlin; default UTC.")
            .may(
                "last",
                Types.TIME,
                "Only effects that the ledger got in this time before; default: all.")
            .may(
                "adopt",
                new Type.Flag(),
                "Whether ids that are found are written down, and reviews that are found are settled; default false.")
            .build());
    shapes.add(HttpTemplate.LIST_SHAPE);
    return shapes;
  }

  /** The guards that can be given without fields. */
  private static List<String> words() {
    return GuardKinds.ALL.stream().filter(GuardForm::isEnough).map(GuardForm::word).toList();
  }

  /** Returns null if the step or the compensation has no contract. */
  static @Nullable EffectContract read(Fields step) {
    Fields effect = step.fields("effect");
    if (effect == null) {
      return null;
    }
    Fields reconcile = effect.fields("reconcile");
    return new EffectContract(
        step.position("effect"),
        effect.textOrNull("name"),
        effect.word(EffectKind.class, "kind"),
        effect.template("key"),
        guard(effect),
        effect.templateOrNull("version"),
        "apply".equals(effect.textOrNull("tie")),
        effect.has("onRework") ? effect.word(OnRework.class, "onRework") : null,
        effect.templateOrNull("externalId"),
        reconcile == null ? null : reconcile(effect.position("reconcile"), reconcile));
  }

  private static EffectContract.Reconcile reconcile(Position position, Fields reconcile) {
    Fields list = reconcile.fields(HttpTemplate.LIST);
    Fields schedule = reconcile.fields(SCHEDULE);
    return new EffectContract.Reconcile(
        position,
        list == null ? null : HttpTemplate.read(position, list),
        reconcile.templateOrNull("items"),
        reconcile.templateOrNull("next"),
        reconcile.templateOrNull("key"),
        reconcile.templateOrNull("externalId"),
        reconcile.members("fields"),
        reconcile.has("rate") ? Integer.valueOf(reconcile.whole("rate", 1)) : null,
        schedule == null
            ? null
            : new EffectContract.Times(
                reconcile.position(SCHEDULE),
                schedule.text("cron"),
                schedule.textOrNull("timezone"),
                schedule.time("last"),
                schedule.flag("adopt")));
  }

  private static StepGuard guard(Fields effect) {
    if (effect.raw("guard") instanceof String word) {
      return GuardKinds.named(word).read(effect.position("guard"));
    }
    Fields guard = effect.fieldsOf("guard");
    String word = guard.alternative();
    return GuardKinds.named(word).reader().read(guard.position(word), guard.fieldsOf(word));
  }
}

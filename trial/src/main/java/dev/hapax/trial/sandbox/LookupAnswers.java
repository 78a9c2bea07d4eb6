package dev.hapax.trial.sandbox;

import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.step.StepGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a destination to a lookup. Services differ in their form: a list, an object, a
 * list in a member, 404. The first form is taken that the lookup's own expressions understand.
 */
final class LookupAnswers {
  private static final List<String> MEMBERS = List.of("items", "data", "results");
  private static final Map<String, String> NO_HEADERS = Map.of();

  private final StepGuard.@Nullable Lookup lookup;
  private final Scope scope;

  LookupAnswers(StepGuard.@Nullable Lookup lookup, Scope scope) {
    this.lookup = lookup;
    this.scope = scope;
  }

  Content found(@Nullable Object body) {
    Object there = body == null ? Map.of() : body;
    List<Content> forms = new ArrayList<>();
    forms.add(Content.of(List.of(there)));
    forms.add(Content.of(there));
    members().forEach(name -> forms.add(Content.of(Map.of(name, List.of(there)))));
    members().forEach(name -> forms.add(Content.of(Map.of(name, there))));
    return forms.stream().filter(form -> says(form, true)).findFirst().orElse(forms.getFirst());
  }

  Content missing() {
    List<Content> forms = new ArrayList<>();
    forms.add(new Content(404, NO_HEADERS, Map.of()));
    forms.add(Content.of(List.of()));
    members().forEach(name -> forms.add(Content.of(Map.of(name, List.of()))));
    forms.add(Content.of(Map.of()));
    return forms.stream().filter(form -> says(form, false)).findFirst().orElse(forms.getFirst());
  }

  /** The members of the body that the lookup reads, and usual ones. */
  private List<String> members() {
    var read = new TreeSet<String>();
    if (lookup != null && lookup.found() != null) {
      lookup.found().reach().paths().stream()
          .filter(path -> path.size() > 2 && path.get(1).equals("body"))
          .forEach(path -> read.add(path.get(2)));
    }
    var names = new ArrayList<>(read);
    MEMBERS.stream().filter(name -> !read.contains(name)).forEach(names::add);
    return names;
  }

  private boolean says(Content form, boolean isThere) {
    if (lookup == null || lookup.found() == null) {
      return true;
    }
    Scope with = scope.with("response", form.response());
    Object found = UsualAnswers.valueOf(lookup.found(), with);
    boolean agrees = isThere ? isTrue(found) : found != null && !isTrue(found);
    return agrees && (!isThere || isReadable(lookup.output(), with));
  }

  private static boolean isTrue(@Nullable Object value) {
    return Boolean.TRUE.equals(value) || "true".equals(value);
  }

  private static boolean isReadable(@Nullable ValueTemplate output, Scope scope) {
    if (output == null) {
      return true;
    }
    try {
      return output.value(scope) != null;
    } catch (ExpressionFailed e) {
      return false;
    }
  }
}

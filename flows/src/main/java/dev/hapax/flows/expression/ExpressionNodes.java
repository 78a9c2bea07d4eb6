package dev.hapax.flows.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableExpr;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which parts of an expression make new values, and which are compared. Immutable. */
final class ExpressionNodes {
  /** Functions and operators whose result is small, or is one of their arguments. */
  private static final Set<String> MAKE_NOTHING =
      Set.of(
          "_[_]",
          "_[?_]",
          "_?._",
          "_?_:_",
          "dyn",
          "or",
          "orValue",
          "value",
          "hasValue",
          "optional.of",
          "optional.ofNonZeroValue",
          "optional.none",
          "_&&_",
          "_||_",
          "!_",
          "_==_",
          "_!=_",
          "@in",
          "_<_",
          "_<=_",
          "_>_",
          "_>=_",
          "_-_",
          "_*_",
          "_/_",
          "_%_",
          "-_",
          "size",
          "has",
          "startsWith",
          "endsWith",
          "contains",
          "matches",
          "int",
          "uint",
          "double",
          "bool",
          "timestamp",
          "duration",
          "indexOf",
          "lastIndexOf",
          "type",
          "@not_strictly_false",
          "now",
          "random",
          "uuid");

  /** A pattern is matched in the time of its length for each character, as a search at worst. */
  private static final Set<String> SEARCHING =
      Set.of("contains", "indexOf", "lastIndexOf", "split", "replace", "matches");

  private static final Set<String> COMPARING = Set.of("_==_", "_!=_", "@in");

  /** The names that CEL gives the list that a loop fills. */
  private static final Set<String> FILLED = Set.of("@result", "__result__");

  private final Set<Long> making = new HashSet<>();
  private final Set<Long> compared = new HashSet<>();

  /** The text that is sought, and the one that it is sought in. */
  private final Map<Long, Long> sought = new HashMap<>();

  private final boolean loops;

  ExpressionNodes(CelExpr root) {
    List<CelExpr> all =
        CelNavigableExpr.fromExpr(root).allNodes().map(CelNavigableExpr::expr).toList();
    this.loops =
        all.stream().anyMatch(node -> node.getKind() == CelExpr.ExprKind.Kind.COMPREHENSION);
    all.forEach(this::sort);
  }

  private void sort(CelExpr node) {
    switch (node.getKind()) {
      case LIST, MAP, STRUCT -> making.add(node.id());
      case CALL -> {
        CelExpr.CelCall call = node.call();
        if (COMPARING.contains(call.function())) {
          call.args().forEach(argument -> compared.add(argument.id()));
        }
        if (SEARCHING.contains(call.function()) && !call.args().isEmpty()) {
          call.target()
              .ifPresentOrElse(
                  in -> sought.put(call.args().getFirst().id(), in.id()),
                  () -> sought.put(call.args().getLast().id(), call.args().getFirst().id()));
        }
        if (!MAKE_NOTHING.contains(call.function()) && !isFilling(call)) {
          making.add(node.id());
        }
      }
      default -> {}
    }
  }

  /** A loop adds a list of one element, which has been counted, to the list that it fills. */
  private static boolean isFilling(CelExpr.CelCall call) {
    return call.function().equals("_+_")
        && call.args().getFirst().getKind() == CelExpr.ExprKind.Kind.IDENT
        && FILLED.contains(call.args().getFirst().ident().name());
  }

  /** Whether its evaluation must be counted: it loops, makes values or searches texts. */
  boolean areCounted() {
    return loops || !making.isEmpty() || !sought.isEmpty();
  }

  /** Returns the part in which this one is sought; null if it is not. */
  @Nullable Long searchedFor(CelExpr node) {
    return sought.get(node.id());
  }

  boolean isSearched(CelExpr node) {
    return sought.containsValue(node.id());
  }

  boolean makes(CelExpr node) {
    return making.contains(node.id());
  }

  boolean compares(CelExpr node) {
    return compared.contains(node.id());
  }

  boolean loop() {
    return loops;
  }
}

package dev.hapax.flows.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableExpr;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an expression reaches, read from its tree.
 *
 * @param paths each name that it reads with the fields after it, as far as they are constant
 * @param functions each function that it calls
 * @param callbacks the steps whose callback it hands out
 * @param approvals the steps whose approval it hands out a link to
 */
public record Reach(
    Set<List<String>> paths, Set<String> functions, Set<String> callbacks, Set<String> approvals) {
  private static final Set<String> MOMENT = Set.of("now", "random", "uuid");

  public static final Reach NOTHING = new Reach(Set.of(), Set.of(), Set.of(), Set.of());

  public Reach {
    paths = Set.copyOf(paths);
    functions = Set.copyOf(functions);
    callbacks = Set.copyOf(callbacks);
    approvals = Set.copyOf(approvals);
  }

  /** Returns the call that gives every evaluation another value; null if there is none. */
  public @Nullable String momentCall() {
    return functions.stream().filter(MOMENT::contains).sorted().findFirst().orElse(null);
  }

  public boolean reaches(String root) {
    return paths.stream().anyMatch(path -> path.getFirst().equals(root));
  }

  /** Returns the steps whose results it reads. */
  public Set<String> steps() {
    var ids = new LinkedHashSet<String>();
    for (List<String> path : paths) {
      if (path.size() > 1 && path.getFirst().equals("steps")) {
        ids.add(path.get(1));
      }
    }
    return ids;
  }

  public Reach and(Reach other) {
    return new Reach(
        union(paths, other.paths),
        union(functions, other.functions),
        union(callbacks, other.callbacks),
        union(approvals, other.approvals));
  }

  private static <T> Set<T> union(Set<T> some, Set<T> others) {
    var all = new LinkedHashSet<>(some);
    all.addAll(others);
    return all;
  }

  static Reach of(CelExpr root) {
    var paths = new LinkedHashSet<List<String>>();
    var functions = new LinkedHashSet<String>();
    var callbacks = new LinkedHashSet<String>();
    var approvals = new LinkedHashSet<String>();
    var local = new LinkedHashSet<String>();
    CelNavigableExpr tree = CelNavigableExpr.fromExpr(root);
    tree.allNodes()
        .map(CelNavigableExpr::expr)
        .forEach(
            expr -> {
              if (expr.getKind() == CelExpr.ExprKind.Kind.COMPREHENSION) {
                local.add(expr.comprehension().iterVar());
                local.add(expr.comprehension().iterVar2());
                local.add(expr.comprehension().accuVar());
              } else if (expr.getKind() == CelExpr.ExprKind.Kind.CALL) {
                functions.add(expr.call().function());
                handedOut("callback", expr, callbacks);
                handedOut("approval", expr, approvals);
              }
            });
    tree.allNodes()
        .filter(node -> isEndOfPath(node))
        .map(node -> pathOf(node.expr()))
        .filter(path -> path != null && !local.contains(path.getFirst()))
        .forEach(paths::add);
    return new Reach(paths, functions, callbacks, approvals);
  }

  /** The empty text stands for a step that is computed. */
  private static void handedOut(String function, CelExpr call, Set<String> steps) {
    if (call.call().function().equals(function) && !call.call().args().isEmpty()) {
      String step = constantText(call.call().args().getFirst());
      steps.add(step == null ? "" : step);
    }
  }

  /** Whether it hands out an address at which the run is answered. */
  public boolean handsOutAnAddress() {
    return !callbacks.isEmpty() || !approvals.isEmpty();
  }

  private static boolean isEndOfPath(CelNavigableExpr node) {
    return pathOf(node.expr()) != null
        && node.parent().map(parent -> pathOf(parent.expr()) == null).orElse(true);
  }

  /** Returns null unless the expression is a name, or a constant field of one. */
  static @Nullable List<String> pathOf(CelExpr expr) {
    return switch (expr.getKind()) {
      case IDENT -> List.of(expr.ident().name());
      case SELECT -> longer(pathOf(expr.select().operand()), expr.select().field());
      case CALL -> indexed(expr.call());
      default -> null;
    };
  }

  private static @Nullable List<String> indexed(CelExpr.CelCall call) {
    boolean isIndex =
        (call.function().equals("_[_]")
                || call.function().equals("_?._")
                || call.function().equals("_[?_]"))
            && call.args().size() == 2;
    String field = isIndex ? constantText(call.args().get(1)) : null;
    return field == null ? null : longer(pathOf(call.args().getFirst()), field);
  }

  private static @Nullable List<String> longer(@Nullable List<String> path, String field) {
    if (path == null) {
      return null;
    }
    var longer = new ArrayList<>(path);
    longer.add(field);
    return List.copyOf(longer);
  }

  private static @Nullable String constantText(CelExpr expr) {
    return expr.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? expr.constant().stringValue()
        : null;
  }
}

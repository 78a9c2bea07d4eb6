package dev.hapax.flows.expression;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Arithmetic between whole and other numbers. JSON does not distinguish 12 from 12.0, so {@code
 * input.amount * 2} must not depend on which one came.
 */
final class MixedNumbers {
  private MixedNumbers() {}

  private record Operation(String function, String name, DoubleBinaryOperator of) {}

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("_+_", "add", Double::sum),
          new Operation("_-_", "subtract", (a, b) -> a - b),
          new Operation("_*_", "multiply", (a, b) -> a * b),
          new Operation("_/_", "divide", (a, b) -> a / b));

  static List<CelFunctionDecl> declarations() {
    return OPERATIONS.stream()
        .map(
            operation ->
                CelFunctionDecl.newFunctionDeclaration(
                    operation.function(),
                    overload(operation.name() + "_int_double", SimpleType.INT, SimpleType.DOUBLE),
                    overload(operation.name() + "_double_int", SimpleType.DOUBLE, SimpleType.INT)))
        .toList();
  }

  private static CelOverloadDecl overload(String id, CelType left, CelType right) {
    return CelOverloadDecl.newGlobalOverload(id, SimpleType.DOUBLE, left, right);
  }

  @SuppressWarnings("Immutable") // the operations are constants
  static List<CelFunctionBinding> bindings() {
    var all = new ArrayList<CelFunctionBinding>();
    for (Operation operation : OPERATIONS) {
      all.add(
          CelFunctionBinding.from(
              operation.name() + "_int_double",
              Long.class,
              Double.class,
              (Long a, Double b) -> operation.of().applyAsDouble(a, b)));
      all.add(
          CelFunctionBinding.from(
              operation.name() + "_double_int",
              Double.class,
              Long.class,
              (Double a, Long b) -> operation.of().applyAsDouble(a, b)));
    }
    return all;
  }
}

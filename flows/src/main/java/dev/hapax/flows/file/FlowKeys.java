package dev.hapax.flows.file;

import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import org.jspecify.annotations.Nullable;

/** The keys that a flow file may have at each place, for tools that walk through its text. */
public final class FlowKeys {
  private FlowKeys() {}

  /** Returns the type of a whole file. */
  public static Type top() {
    return new Type.Of(FlowShapes.FLOW);
  }

  /** Returns the shape of a mapping at a place of this type; null if its keys are the author's. */
  public static @Nullable Shape shape(@Nullable Type type) {
    return switch (type) {
      case Type.Of of -> FlowShapes.ALL.named(of.shape());
      case Type.WordOr either -> FlowShapes.ALL.named(either.shape());
      case Type.TemplatedOr either -> FlowShapes.ALL.named(either.shape());
      case null, default -> null;
    };
  }

  /** Returns the type of a member of a mapping at a place of this type; null if it is unknown. */
  public static @Nullable Type member(@Nullable Type type, String key) {
    if (type instanceof Type.Branches branches) {
      return new Type.ListOf(branches.shape());
    }
    Shape shape = shape(type);
    Shape.Field field = shape == null ? null : shape.field(key);
    return field == null ? null : field.type();
  }

  /** Returns the type of the elements of a list at a place of this type; null if it is unknown. */
  public static @Nullable Type element(@Nullable Type type) {
    return type instanceof Type.ListOf list ? new Type.Of(list.shape()) : null;
  }

  /** Returns whether a list at a place of this type has steps. */
  public static boolean isSteps(@Nullable Type type) {
    return type instanceof Type.ListOf list && list.shape().equals(FlowStep.SHAPE);
  }
}

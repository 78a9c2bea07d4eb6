package dev.hapax.flow;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A result type with its type arguments, which a class alone does not carry: {@code new
 * TypeToken<List<Order>>() {}}.
 */
public abstract class TypeToken<T extends @Nullable Object> {
  private final Type type;

  protected TypeToken() {
    if (getClass().getSuperclass() != TypeToken.class
        || !(getClass().getGenericSuperclass() instanceof ParameterizedType self)
        || !isComplete(self)) {
      throw new IllegalArgumentException(
          "TypeToken: expected a complete type, as in new TypeToken<List<Order>>() {}");
    }
    this.type = self.getActualTypeArguments()[0];
  }

  private TypeToken(Class<T> type) {
    this.type = type;
  }

  /** Returns the token of a class without type arguments. */
  public static <T extends @Nullable Object> TypeToken<T> of(Class<T> type) {
    return new Plain<>(type);
  }

  /** Returns whether the type has no variable and no wildcard, which only a caller could fill. */
  private static boolean isComplete(Type type) {
    return switch (type) {
      case Class<?> _ -> true;
      case ParameterizedType generic ->
          Arrays.stream(generic.getActualTypeArguments()).allMatch(TypeToken::isComplete);
      case GenericArrayType array -> isComplete(array.getGenericComponentType());
      default -> false;
    };
  }

  public final Type type() {
    return type;
  }

  @Override
  public String toString() {
    return type.getTypeName();
  }

  private static final class Plain<T extends @Nullable Object> extends TypeToken<T> {
    Plain(Class<T> type) {
      super(type);
    }
  }
}

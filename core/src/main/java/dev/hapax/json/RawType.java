package dev.hapax.json;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A raw collection or map type, such as {@code List.class}, with an element that would not be read
 * back. The class does not say the type of its elements, so a record in it becomes a map. Text,
 * numbers, booleans, and lists and maps of them are read back unchanged.
 */
public record RawType(Class<?> container, Class<?> element) {

  /** Returns the element of this value that would not be read back; null if there is none. */
  public static @Nullable RawType lost(Type type, @Nullable Object value) {
    if (value == null || !(type instanceof Class<?> container) || !isContainer(container)) {
      return null;
    }
    Object element = lostIn(value);
    return element == null ? null : new RawType(container, element.getClass());
  }

  /** Returns the problem in words, for the result of a step. */
  public String inStep() {
    return "%s. Give its type with that of its elements: new TypeToken<%s>() {}"
        .formatted(what(), example());
  }

  /** Returns the problem in words, for the input or output of a flow. */
  public String inFlow() {
    return "%s. Use a record with a component of type %s instead".formatted(what(), example());
  }

  private String what() {
    return "%s.class does not say that it holds a %s, which would be read back as a map or a text"
        .formatted(container.getSimpleName(), element.getName());
  }

  private String example() {
    return Map.class.isAssignableFrom(container)
        ? "%s<String, %s>".formatted(container.getSimpleName(), element.getSimpleName())
        : "%s<%s>".formatted(container.getSimpleName(), element.getSimpleName());
  }

  private static boolean isContainer(Class<?> type) {
    return (Collection.class.isAssignableFrom(type)
            || Map.class.isAssignableFrom(type)
            || type == Iterable.class
            || type == Optional.class)
        && type.getTypeParameters().length > 0;
  }

  /** Returns the first value that JSON has no type for; null if there is none. */
  private static @Nullable Object lostIn(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String _, Boolean _, Number _ -> null;
      case Optional<?> one -> lostIn(one.orElse(null));
      case Map<?, ?> map -> {
        Object key = firstLost(map.keySet());
        yield key != null ? key : firstLost(map.values());
      }
      case Iterable<?> all -> firstLost(all);
      default -> value;
    };
  }

  private static @Nullable Object firstLost(Iterable<?> values) {
    for (Object one : values) {
      Object lost = lostIn(one);
      if (lost != null) {
        return lost;
      }
    }
    return null;
  }
}

package dev.hapax.flows.expression;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.hapax.json.ValueBudget;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts between JSON values and CEL values. Maps and lists are wrapped, not copied. */
final class CelValues {
  private CelValues() {}

  /**
   * CEL has 64-bit integers and doubles. A number that fits neither exactly stays unchanged: it can
   * be passed on and compared by {@code canonical}, but arithmetic refuses it.
   */
  static Object toCel(@Nullable Object value) {
    return switch (value) {
      case null -> NullValue.NULL_VALUE;
      case Integer small -> (long) small;
      case Short small -> (long) small;
      case Float real -> (double) real;
      case BigInteger whole -> whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
      case BigDecimal decimal -> decimal(decimal);
      case Map<?, ?> map -> new CelMap(map);
      case List<?> list -> new CelList(list);
      default -> value;
    };
  }

  private static Object decimal(BigDecimal decimal) {
    double nearest = decimal.doubleValue();
    boolean exact =
        Double.isFinite(nearest)
            && new BigDecimal(Double.toString(nearest)).compareTo(decimal) == 0;
    return exact ? (Object) nearest : decimal;
  }

  /**
   * Converts back to JSON values; times become text. The result takes room while it is built: a
   * list that CEL made may hold the same part many times.
   */
  static @Nullable Object fromCel(@Nullable Object value, ValueBudget room) {
    return switch (value) {
      case null -> part(null, room);
      case NullValue _ -> part(null, room);
      case CelMap map -> part(map.plain, room);
      case CelList list -> part(list.plain, room);
      case Optional<?> optional -> fromCel(optional.orElse(null), room);
      case UnsignedLong number -> part(number.bigIntegerValue(), room);
      case CelByteString bytes -> {
        room.take(4L * ((bytes.size() + 2) / 3));
        yield Base64.getEncoder().encodeToString(bytes.toByteArray());
      }
      case Instant time -> part(time.toString(), room);
      case Duration length -> part(Durations.text(length), room);
      case Map<?, ?> map -> {
        room.take(2L + 2L * map.size());
        var plain = new LinkedHashMap<String, @Nullable Object>();
        map.forEach(
            (key, inner) -> {
              String name = String.valueOf(key);
              room.takeText(name);
              plain.put(name, fromCel(inner, room));
            });
        yield plain;
      }
      case List<?> list -> {
        room.take(2L + list.size());
        var plain = new ArrayList<@Nullable Object>(list.size());
        list.forEach(inner -> plain.add(fromCel(inner, room)));
        yield plain;
      }
      default -> part(value, room);
    };
  }

  private static @Nullable Object part(@Nullable Object value, ValueBudget room) {
    room.takeValue(value);
    return value;
  }

  private static final class CelMap extends AbstractMap<Object, Object> {
    private final Map<?, ?> plain;

    CelMap(Map<?, ?> plain) {
      this.plain = plain;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      Object value = plain.get(key);
      return value == null && !plain.containsKey(key) ? null : toCel(value);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return plain.containsKey(key);
    }

    @Override
    public int size() {
      return plain.size();
    }

    /** CEL shows values in its errors. */
    @Override
    public String toString() {
      return "a map of %d".formatted(plain.size());
    }

    @Override
    public Set<Entry<Object, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Entry<Object, Object>> iterator() {
          Iterator<? extends Entry<?, ?>> entries = plain.entrySet().iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return entries.hasNext();
            }

            @Override
            public Entry<Object, Object> next() {
              Entry<?, ?> entry = entries.next();
              return new SimpleImmutableEntry<>(toCel(entry.getKey()), toCel(entry.getValue()));
            }
          };
        }

        @Override
        public int size() {
          return plain.size();
        }
      };
    }
  }

  private static final class CelList extends AbstractList<Object> implements RandomAccess {
    private final List<?> plain;

    CelList(List<?> plain) {
      this.plain = plain;
    }

    @Override
    public Object get(int index) {
      return toCel(plain.get(index));
    }

    @Override
    public int size() {
      return plain.size();
    }

    @Override
    public String toString() {
      return "a list of %d".formatted(plain.size());
    }
  }
}

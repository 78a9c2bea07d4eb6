package dev.hapax.archfixture.ring;

import dev.hapax.archfixture.lower.Lower;
import dev.hapax.archfixture.upper.Upper;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Names types of other packages in every part of a signature that users can see. */
public abstract class Leaks implements Comparator<Upper> {
  public static final Upper[] FIELD = {};

  /** Not visible, so it does not count. */
  final Lower hidden;

  /** Not visible, so it does not count. */
  Leaks(Lower hidden) {
    this.hidden = hidden;
  }

  public Leaks(Upper constructed) {
    this(constructed.below());
  }

  public abstract Upper returned();

  public abstract void taken(Map<String, ? extends List<Upper>> given);

  protected abstract <T extends Upper> List<T> bound(List<T> given);

  public abstract void thrown() throws Failed;

  /** Not visible, so it does not count. */
  abstract Lower internal();

  /** A record shows its components. */
  public record Shown(Function<Leaks, Upper[]> component) {}

  /** Not visible, so it does not count. */
  record Hidden(Lower component) {}

  /** Of this package, so everybody may see it. */
  public static final class Failed extends Exception {
    private static final long serialVersionUID = 1L;
  }
}

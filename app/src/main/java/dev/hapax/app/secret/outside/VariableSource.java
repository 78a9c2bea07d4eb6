package dev.hapax.app.secret.outside;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A variable of the server's environment, which only a restart changes.
 *
 * @param environment returns the value of a variable; null if there is none
 */
record VariableSource(String variable, Function<String, @Nullable String> environment)
    implements SecretSource {
  @Override
  public String kind() {
    return "environment";
  }

  @Override
  public Duration freshFor() {
    return Duration.ofDays(1);
  }

  @Override
  public String read() throws CannotRead {
    String value = environment.apply(variable);
    return SecretSource.checked(value == null ? "" : value, "variable " + variable);
  }
}

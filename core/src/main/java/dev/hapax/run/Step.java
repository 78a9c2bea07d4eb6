package dev.hapax.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** A step of a run by its name, and by its item in a loop. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Step(String name, @Nullable String item) {
  @Override
  public String toString() {
    return item == null ? "'" + name + "'" : "'" + name + "' of item '" + item + "'";
  }
}

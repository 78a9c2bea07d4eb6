package dev.hapax.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingStoreTest {
  /** Shorter forms of other methods, which are forwarded. */
  private static final Set<String> SHORT_FORMS = Set.of("load(long)", "journal(long)");

  @Test
  void every_method_of_the_port_is_forwarded() {
    assertThat(signatures(ForwardingStore.class)).containsAll(portMethods(Store.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {ForwardingWaits.class, ForwardingRetention.class, ForwardingTenants.class})
  void every_question_of_its_parts_is_forwarded(Class<?> part) {
    assertThat(signatures(part)).containsAll(portMethods(part.getInterfaces()[0]));
  }

  private static List<String> portMethods(Class<?> port) {
    return signatures(port).stream().filter(method -> !SHORT_FORMS.contains(method)).toList();
  }

  private static List<String> signatures(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .map(ForwardingStoreTest::signature)
        .toList();
  }

  private static String signature(Method method) {
    String parameters =
        String.join(
            ",", Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList());
    return "%s(%s)".formatted(method.getName(), parameters);
  }
}

package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A body is the same whether it waited in memory or on disk. */
class SlowBodyTest {
  @ParameterizedTest
  @CsvSource({
    "0, 100, 0",
    "99, 100, 99",
    "101, 100, 100",
    "65536, 1000000, 65536",
    "65537, 1000000, 65537",
    "300000, 1000000, 300000",
    "300000, 200000, 200000",
    "65537, 65536, 65536",
  })
  void its_beginning_is_read_as_it_was_sent(int size, int most, int expected) throws Exception {
    byte[] sent = new byte[size];
    new Random(size).nextBytes(sent);
    var body = new ByteArrayInputStream(sent);

    byte[] read = SlowBody.read(body, most);

    assertThat(read).hasSize(expected).isEqualTo(java.util.Arrays.copyOf(sent, expected));
    assertThat(body.available()).isEqualTo(size - expected);
  }
}

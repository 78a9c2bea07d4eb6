package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body in chunks, as honest and hostile servers send it. */
class HttpBodyTest {
  private static final Map<String, String> CHUNKED = Map.of("transfer-encoding", "chunked");

  private static HttpBody body(InputStream in) throws IOException {
    return HttpBody.after(CHUNKED, false, in, new AnswerLines(in));
  }

  private static HttpBody body(String sent) throws IOException {
    return body(new ByteArrayInputStream(sent.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Says the same again and again, for 64 MB, and counts what was read. */
  private static final class Spring extends InputStream {
    private final byte[] again;
    private int read;

    Spring(String again) {
      this.again = again.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public int read() {
      return read == 64 << 20 ? -1 : again[read++ % again.length];
    }

    @Override
    public int read(byte[] to, int from, int most) {
      int count = 0;
      for (int next = 0; count < most && (next = read()) >= 0; count++) {
        to[from + count] = (byte) next;
      }
      return count == 0 && most > 0 ? -1 : count;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1\r\na\r\n", "2\r\nab\r\n", "4\r\nabcd\r\n", "1;x=y\r\na\r\n"})
  void an_answer_of_tiny_chunks_is_given_up_before_it_costs_much(String chunk) throws IOException {
    var spring = new Spring(chunk);
    HttpBody body = body(spring);

    assertThatThrownBy(() -> body.skipNBytes(Long.MAX_VALUE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lines of the answer");

    assertThat(spring.read).isLessThan(2 << 20);
  }

  @Test
  void twenty_thousand_chunks_of_a_byte_are_an_answer() throws IOException {
    HttpBody body = body("1\r\na\r\n".repeat(20_000) + "0\r\n\r\n");

    assertThat(body.readAllBytes()).hasSize(20_000);
    assertThat(body.isAtEnd()).isTrue();
  }

  @Test
  void chunks_of_a_line_have_room_for_ever() throws IOException {
    HttpBody body = body("5\r\nabcd\n\r\n".repeat(1_000_000) + "0\r\n\r\n");

    body.skipNBytes(5_000_000);
    assertThat(body.read()).isNegative();
    assertThat(body.isAtEnd()).isTrue();
  }

  @Test
  void a_read_fills_its_buffer_over_the_borders_of_chunks() throws IOException {
    HttpBody body = body("1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n");
    byte[] buffer = new byte[5];

    assertThat(body.read(buffer)).isEqualTo(5);
    assertThat(buffer).asString(StandardCharsets.US_ASCII).isEqualTo("abcde");
    assertThat(body.read(buffer)).isEqualTo(1);
    assertThat(body.read(buffer)).isEqualTo(-1);
    assertThat(body.isAtEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\r\n", "A\r\n", "00a\r\n", "a\n", " a \t\r\n", "a;b=\"c\"\r\n", "a ;b\r\n"})
  void sizes_are_read_as_servers_write_them(String size) throws IOException {
    HttpBody body = body(size + "0123456789\r\n0\r\nX-Trailer: y\r\n\r\n");

    assertThat(body.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("0123456789");
    assertThat(body.isAtEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "x\r\n",
        "-1\r\n",
        "1 1\r\n",
        "0x1\r\n",
        "1\r\r1\r\n",
        "0000000000001\r\n",
        ";\r\n"
      })
  void other_sizes_are_refused(String size) throws IOException {
    HttpBody body = body(size + "a\r\n0\r\n\r\n");

    assertThatThrownBy(body::readAllBytes)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("malformed chunk size");
  }

  @Test
  void a_chunk_that_does_not_end_where_it_said_is_refused() throws IOException {
    HttpBody longer = body("1\r\nab\r\n0\r\n\r\n");
    assertThatThrownBy(longer::readAllBytes).hasMessageContaining("malformed end of a chunk");

    HttpBody cut = body("3\r\nab");
    assertThatThrownBy(cut::readAllBytes).isInstanceOf(EOFException.class);
  }
}

package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A value cannot change the structure of a request's address. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestAddressTest {
  private static String target(String path, Object value, FlowFormat format) throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(_ -> Optional.of(server.connection("shop")))
                .open()) {
      LoadedFlow flow =
          files.load(
              "f.yaml",
              """
      flow: read
      steps:
        - id: read
          http: {connection: shop, path: "%s", query: {q: "${input.v}"}}
          retry: {attempts: 1}
      """
                  .formatted(path),
              1,
              format);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        test.run(flow.flow(), Map.of("v", value));
        return server.requests().getFirst().target();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "plain-1_2.3~x, /a/plain-1_2.3~x/b?q=plain-1_2.3%7Ex",
        "a/b, /a/a%2Fb/b?q=a%2Fb",
        "a?b=c&d, /a/a%3Fb%3Dc%26d/b?q=a%3Fb%3Dc%26d",
        "a#b, /a/a%23b/b?q=a%23b",
        "a b+c, /a/a%20b%2Bc/b?q=a%20b%2Bc",
        "%41%2fx, /a/%2541%252fx/b?q=%2541%252fx",
        "ä*;, /a/%C3%A4%2A%3B/b?q=%C3%A4*%3B",
        "..., /a/.../b?q=...",
        "@evil.example, /a/%40evil.example/b?q=%40evil.example"
      })
  void a_value_is_one_segment_or_one_query_value(String value, String target) throws Exception {
    assertThat(target("/a/${input.v}/b", value, FlowFormat.NEWEST)).isEqualTo(target);
  }

  @Test
  void a_value_behind_the_question_mark_is_a_query_value() throws Exception {
    assertThat(target("/a?x=${input.v}&y=1", "1&admin=true#", FlowFormat.NEWEST))
        .isEqualTo("/a?x=1%26admin%3Dtrue%23&y=1&q=1%26admin%3Dtrue%23");
  }

  @Test
  void a_raw_value_is_asked_for() throws Exception {
    assertThat(target("/a/${raw(input.v)}", "b/c", FlowFormat.NEWEST)).isEqualTo("/a/b/c?q=b%2Fc");
  }

  @Test
  void a_release_made_before_keeps_its_rendering() throws Exception {
    assertThat(target("/a/${input.v}", "b/../c", FlowFormat.RAW_PATHS))
        .isEqualTo("/a/b/../c?q=b%2F..%2Fc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "..",
        "../x",
        "x/../y",
        "%2e%2e",
        "%2E.",
        "%252e%252e",
        "..\\x",
        "..;x=1",
        "..%2fadmin",
        ""
      })
  void a_value_that_leads_elsewhere_is_refused(String value) {
    assertThatThrownBy(() -> target("/a/${input.v}/b", value, FlowFormat.NEWEST))
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("nothing was sent")
        .extracting(failed -> ((RunFailed) failed).code())
        .isEqualTo("bad-path");
  }

  @Test
  void two_dots_of_two_values_are_refused_too() {
    assertThatThrownBy(() -> target("/a/${input.v}${input.v}/b", ".", FlowFormat.NEWEST))
        .hasMessageContaining("segment '..'");
    assertThatThrownBy(() -> target("/a/${raw(input.v)}/b", "x/../y", FlowFormat.NEWEST))
        .hasMessageContaining("segment '..'");
  }

  @Test
  void a_value_may_leave_out_a_part_of_a_segment() throws Exception {
    assertThat(target("/a/b${input.v}", "", FlowFormat.NEWEST)).isEqualTo("/a/b?q=");
  }
}

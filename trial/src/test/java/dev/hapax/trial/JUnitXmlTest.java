package dev.hapax.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** Build servers can read the results, however odd the names are. */
class JUnitXmlTest {
  @Test
  void hostile_names_and_messages_stay_text() throws Exception {
    String odd = "]]></failure><x a=\"1\"> & \u0000 \uD800 😀";
    String xml =
        JUnitXml.of(
            List.of(
                new JUnitXml.Result("a.test.yaml", odd, Duration.ofMillis(1234), odd + "\nline"),
                new JUnitXml.Result("a.test.yaml", "good", Duration.ZERO, null)));

    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));

    assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(document.getElementsByTagName("x").getLength()).isZero();
    assertThat(xml).contains("tests=\"2\" failures=\"1\"").contains("time=\"1.234\"");
  }
}

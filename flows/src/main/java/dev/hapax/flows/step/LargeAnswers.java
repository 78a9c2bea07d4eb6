package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.json.NotSerializable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Stores bodies that are too large for a value as resources while they arrive, without secrets.
 * Their replacement is {@code {ref, bytes, contentType}}, or {@code {error}} if they are too large
 * even for that: the request has been done all the same.
 */
record LargeAnswers(StepRun step) implements LargeBodies {
  private static final String ANY_TYPE = "application/octet-stream";

  @Override
  public int largestValue() {
    return step.services().valueBytes();
  }

  @Override
  public Map<String, Object> keep(InputStream body, String contentType) throws IOException {
    var counted = new Counted(step.services().redaction().redact(body));
    String type = contentType.matches("[!-~]+/[!-~][ -~]{0,150}") ? contentType : ANY_TYPE;
    var instead = new LinkedHashMap<String, Object>();
    try {
      instead.put("ref", step.run().resource(counted, type));
      instead.put("bytes", counted.bytes);
      instead.put("contentType", type);
    } catch (NotSerializable e) {
      instead.put("error", "the answer was not kept: " + e.getMessage());
    }
    return instead;
  }

  /** A read is useless without its body. */
  static void demandKept(HttpAnswer answer) {
    if (answer.kept() instanceof Map<?, ?> kept && kept.get("error") != null) {
      throw new Rejected("answer-too-large", String.valueOf(kept.get("error")));
    }
  }

  private static final class Counted extends FilterInputStream {
    long bytes;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      bytes += Math.max(0, read);
      return read;
    }
  }
}

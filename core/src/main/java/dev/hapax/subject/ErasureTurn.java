package dev.hapax.subject;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.json.Json;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.NewRun;
import java.util.List;

/**
 * The input of the run that carries out a request to erase. It names no person.
 *
 * @param also the numbers of runs that the index does not know
 */
public record ErasureTurn(long erasure, List<Long> also) {
  /** The flow of these runs. */
  public static final String FLOW = ErasureRecord.FLOW;

  public ErasureTurn {
    also = also == null ? List.of() : List.copyOf(also);
  }

  String key() {
    return ErasureRecord.id(erasure);
  }

  /** The run; a second one of the same request is a duplicate. */
  public NewRun toRun(long number, String tenant) {
    String input = Json.write(this);
    return new NewRun(
        number,
        RunId.of(tenant, FLOW, key(), null),
        tenant,
        FLOW,
        1,
        key(),
        Fingerprint.of(input),
        input,
        null);
  }
}

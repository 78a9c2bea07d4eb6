package dev.hapax.job;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Names;
import dev.hapax.flow.RunId;
import dev.hapax.json.Json;
import dev.hapax.run.JobRecord;
import dev.hapax.run.NewRun;

/**
 * The input of a run that works on a job. A job has one such run after another: each ends when the
 * job is paused, waits for a person or has worked long enough.
 */
public record JobTurn(String job, int turn) {
  /** The flow of these runs. */
  public static final String FLOW = Names.RESERVED + "job";

  static JobTurn of(JobRecord job) {
    return new JobTurn(job.id(), job.turn());
  }

  String key() {
    return job + "/" + turn;
  }

  RunId run(String tenant) {
    return RunId.of(tenant, FLOW, key(), null);
  }

  NewRun toRun(long number, String tenant) {
    String input = Json.write(this);
    return new NewRun(
        number, run(tenant), tenant, FLOW, 1, key(), Fingerprint.of(input), input, null);
  }
}

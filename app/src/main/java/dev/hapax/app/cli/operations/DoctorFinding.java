package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.output.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one check of {@code hapax doctor}.
 *
 * @param problem why the check failed; null if it did not
 * @param advice what to do about a warning; null if there is none
 */
record DoctorFinding(String what, String seen, @Nullable Refusal problem, @Nullable String advice) {
  static DoctorFinding well(String what, String seen) {
    return new DoctorFinding(what, seen, null, null);
  }

  /** It works, and a person should look at it. */
  static DoctorFinding warning(String what, String seen, String advice) {
    return new DoctorFinding(what, seen, null, advice);
  }

  static DoctorFinding failed(String what, Refusal problem) {
    return new DoctorFinding(what, problem.message(), problem, null);
  }

  String state() {
    return problem != null ? "failed" : advice != null ? "warning" : "ok";
  }

  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("check", what);
    json.put("ok", problem == null);
    json.put("state", state());
    json.put("seen", seen);
    json.put("fix", problem != null ? problem.hint() : advice);
    return json;
  }
}

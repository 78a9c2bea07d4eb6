package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Failure;
import dev.hapax.flow.FailureClass;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run.
 *
 * @param retryable whether another try without a change could succeed; false unless it failed
 * @param startedBy the credential and its name; absent if no caller started it
 * @param cancel the request to end it early
 * @param blocked why it cannot continue by itself, though it is due or will be; absent if it can
 * @param search the searchable fields; absent if there are none
 * @param failureClass what it needs: retryable, person or review; absent if nothing failed
 * @param erased true if its values were erased for a person; then input and output are null
 * @param inputBytes of a preview, how large the input is that it leaves out
 * @param outputBytes of a preview, how large the output is that it leaves out
 * @param wouldSend of a draft, which sends nothing: its effects and those of its children, in order
 */
public record RunView(
    String id,
    String flow,
    int release,
    String key,
    String status,
    boolean retryable,
    @JsonRawValue String input,
    @Nullable @JsonRawValue String output,
    @Nullable ErrorView error,
    Instant createdAt,
    @Nullable Instant endedAt,
    long duplicates,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant dueAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant timeoutAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Caller startedBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Cancel cancel,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ErrorView blocked,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> search,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String failureClass,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean erased,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer inputBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer outputBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<EffectView> wouldSend) {

  /** A larger value is not part of a preview. */
  private static final int MOST_OF_PREVIEW = 2000;

  /** A request to end a run early. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cancel(String by, @Nullable String reason, boolean compensate) {
    static @Nullable Cancel of(Run.@Nullable Cancel wish) {
      return wish == null ? null : new Cancel(wish.actor(), wish.reason(), wish.compensate());
    }
  }

  private static ErrorView codeMissing(Run run) {
    return ErrorView.explained(
        "code-missing",
        "the code of flow '%s' release %d is not registered; the run continues when it is"
            .formatted(run.flow(), run.release()),
        null,
        null);
  }

  /** The advice of most codes is to retry, which a compensated run cannot. */
  private static @Nullable ErrorView errorOf(Run run) {
    ErrorView error = ErrorView.of(run.error());
    return error == null || run.status() != RunStatus.COMPENSATED
        ? error
        : error.advising(
            "What the run did is undone, so it cannot be retried or replayed. Start the flow under"
                + " another key.");
  }

  /** Returns the run as the store holds it. */
  public static RunView of(Run run) {
    return of(run, run.output(), false, FailureClass.of(run, false));
  }

  /**
   * As above.
   *
   * @param output the value that its output refers to
   * @param isCodeMissing whether the code of its release is not registered
   * @param failureClass what it needs
   */
  public static RunView of(
      Run run,
      @Nullable String output,
      boolean isCodeMissing,
      @Nullable FailureClass failureClass) {
    Failure error = run.error();
    boolean hasEnded = run.status().isEnd();
    return new RunView(
        run.id().toString(),
        run.flow(),
        run.release(),
        run.key(),
        run.shownStatus().word(),
        error != null && error.retryable(),
        run.isErased() ? "null" : String.valueOf(JsonText.raw(run.input())),
        run.isErased() ? null : JsonText.raw(output),
        errorOf(run),
        run.createdAt(),
        run.endedAt(),
        run.duplicates(),
        hasEnded ? null : run.dueAt(),
        hasEnded ? null : run.timeoutAt(),
        run.startedBy(),
        Cancel.of(run.cancel()),
        isCodeMissing ? codeMissing(run) : null,
        run.search().declared().isEmpty() ? null : run.search().declared(),
        failureClass == null ? null : failureClass.word(),
        run.isErased() ? true : null,
        null,
        null,
        null);
  }

  /** Returns the same run without a large input or output, and with their sizes instead. */
  public RunView preview() {
    Integer large = largeSize(input);
    Integer largeOutput = output == null ? null : largeSize(output);
    return with(
        large == null ? input : "null",
        largeOutput == null ? output : null,
        large,
        largeOutput,
        wouldSend);
  }

  private static @Nullable Integer largeSize(String json) {
    return json.length() <= MOST_OF_PREVIEW ? null : json.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns the same run, a draft, with the effects that it would send. */
  public RunView wouldSend(List<EffectView> effects) {
    return with(input, output, inputBytes, outputBytes, List.copyOf(effects));
  }

  private RunView with(
      String shownInput,
      @Nullable String shownOutput,
      @Nullable Integer largeInput,
      @Nullable Integer largeOutput,
      @Nullable List<EffectView> effects) {
    return new RunView(
        id,
        flow,
        release,
        key,
        status,
        retryable,
        shownInput,
        shownOutput,
        error,
        createdAt,
        endedAt,
        duplicates,
        dueAt,
        timeoutAt,
        startedBy,
        cancel,
        blocked,
        search,
        failureClass,
        erased,
        largeInput,
        largeOutput,
        effects);
  }
}

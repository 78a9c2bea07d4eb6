package dev.hapax.flows.preset;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a provider, as one data file. Its texts are what a person would write by
 * hand: a connection, steps of a flow and a webhook. {@code <name>} in them is the connection's
 * name, other words in angle brackets are {@link #values}.
 *
 * @param preset its name
 * @param documents the pages of the provider that say so
 * @param values what only the user knows, such as the name of a shop
 * @param secrets by the ends of their names: {@code <name>-key}
 * @param longestKey how many characters a key may have; null if there are no keys, or nothing is
 *     published
 * @param connection its settings, with comments
 * @param operations steps that write there, each with its guard
 * @param webhook the fields of a webhook trigger; null if the provider has no webhooks
 * @param newest further fields, for flows that only want the newest state of an object
 * @param fetch a step that reads what a webhook only names; null if a delivery can be believed
 * @param assumed what the provider does not publish, and what is assumed instead
 */
public record Preset(
    String preset,
    String title,
    List<Document> documents,
    List<Value> values,
    List<Secret> secrets,
    @Nullable Integer longestKey,
    String connection,
    List<Operation> operations,
    @Nullable String webhook,
    @Nullable String newest,
    @Nullable String fetch,
    List<String> notes,
    List<String> assumed) {

  /** A page, what it is about, and the date when it was read. */
  public record Document(String of, String url, String read) {}

  /**
   * Something that only the user knows.
   *
   * @param pattern of the whole text
   * @param usual the text if none is given; null if one must be given
   */
  public record Value(
      String name, String ask, String pattern, String example, @Nullable String usual) {}

  /** A secret, and the question for it. */
  public record Secret(String name, String ask) {}

  /** A write at the provider, as a step of a flow. */
  public record Operation(String name, String step) {}

  public Preset {
    documents = orEmpty(documents);
    values = orEmpty(values);
    secrets = orEmpty(secrets);
    operations = orEmpty(operations);
    notes = orEmpty(notes);
    assumed = orEmpty(assumed);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> some) {
    return some == null ? List.of() : List.copyOf(some);
  }

  /** Returns all texts that may have placeholders. */
  Stream<String> texts() {
    var texts = new ArrayList<String>();
    texts.add(connection);
    operations.forEach(operation -> texts.add(operation.step()));
    if (webhook != null) {
      texts.add(webhook);
    }
    if (newest != null) {
      texts.add(newest);
    }
    if (fetch != null) {
      texts.add(fetch);
    }
    return texts.stream();
  }

  /** Returns the name of a secret for a connection of this name. */
  public static String secretOf(String connection, Secret secret) {
    return connection + "-" + secret.name();
  }
}

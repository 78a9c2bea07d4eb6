package dev.hapax.flows.connection;

import java.util.Map;

/** The words in which a model is asked over HTTP. */
public enum ModelDialect {
  /** {@code POST /chat/completions} below the base, which most servers of models speak. */
  OPENAI("openai", "/chat/completions"),
  /** {@code POST /v1/messages} below the base. */
  ANTHROPIC("anthropic", "/v1/messages");

  private final String word;
  private final String path;

  ModelDialect(String word, String path) {
    this.word = word;
    this.path = path;
  }

  public String word() {
    return word;
  }

  /** The path of a question, below the base. */
  public String path() {
    return path;
  }

  /** The headers that each request has. */
  public Map<String, String> headers() {
    return this == OPENAI ? Map.of() : Map.of("anthropic-version", "2023-06-01");
  }

  /** The path of the list of models, which shows whether a credential is valid. */
  String models() {
    return this == OPENAI ? "/models" : "/v1/models";
  }

  /** How the credential is sent. */
  Connection.Auth auth(String secret) {
    return this == OPENAI
        ? new Connection.Auth.Bearer(secret)
        : new Connection.Auth.Header("x-api-key", secret);
  }
}

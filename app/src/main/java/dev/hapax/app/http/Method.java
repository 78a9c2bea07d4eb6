package dev.hapax.app.http;

/** The methods that routes use. HEAD is answered as GET without its body. */
public enum Method {
  GET,
  POST,
  PUT,
  DELETE
}

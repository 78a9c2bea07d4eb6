package dev.hapax.flows.yaml;

import java.util.List;

/** The types that many fields have. */
public final class Types {
  /** The name of a flow, an effect or another thing that people name. */
  public static final Type NAME =
      new Type.Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}", "order-to-invoice");

  public static final Type CONNECTION =
      new Type.Text("[A-Za-z0-9][A-Za-z0-9._/-]{0,63}", "accounting");

  /** The labels of a flow; each has the form of {@link dev.hapax.flow.Names#label}. */
  public static final Type LABELS =
      new Type.DistinctTexts(new Type.Text("[a-z0-9][a-z0-9._/-]{0,62}", "billing"), 20);

  /** The id of a step. */
  public static final Type ID = new Type.Text("[A-Za-z][A-Za-z0-9_-]{0,63}", "sendMail");

  /** Any text without expressions. */
  public static final Type TEXT = new Type.Text(null, "a text");

  /** A page of text for people. */
  public static final Type RUNBOOK =
      new Type.Text("[\\s\\S]{1,4000}", "1 to 4,000 characters of text");

  /** A text of a step, with expressions. */
  public static final Type TEMPLATE = new Type.Templated(Place.STEP);

  /** A value of a step, with expressions. */
  public static final Type VALUE = new Type.Value(Place.STEP);

  /** A mapping of a step, with expressions. */
  public static final Type MEMBERS = new Type.Members(Place.STEP);

  public static final Type TIME = new Type.Time();

  private Types() {}

  public static Type words(String... words) {
    return new Type.Words(List.of(words));
  }
}

package dev.hapax.flows.step;

import dev.hapax.flow.Names;

/** The names of questions to models in the ledger. No step and no file can have such a name. */
public final class ModelEffect {
  private static final String NAME = Names.OWN_FLOWS + LlmStep.FORM.word();

  private ModelEffect() {}

  /** The name of a question whose answer all flows of the tenant find. */
  static String ofTenant() {
    return NAME;
  }

  /** The name of a question of this flow. */
  static String of(String flow) {
    return flow + "/" + NAME;
  }

  /** Whether it is a question, which may be asked twice: it does nothing outside but cost. */
  public static boolean is(String effect) {
    return effect.equals(NAME) || effect.endsWith("/" + NAME);
  }
}

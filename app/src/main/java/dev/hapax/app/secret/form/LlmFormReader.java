package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.json.Text;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a provider of language models. */
record LlmFormReader(ConnectionForm.Llm form) implements FormReader {
  private static final BigDecimal MOST_MONEY = BigDecimal.valueOf(1_000_000_000);
  private static final int MOST_DECIMALS = 9;

  @Override
  public Connection connection(String name) {
    String word = FormFields.given("llm.dialect", form.dialect());
    ModelDialect dialect =
        Arrays.stream(ModelDialect.values())
            .filter(one -> one.word().equals(word))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "llm.dialect: expected openai or anthropic, got '%s'"
                            .formatted(Text.storable(word))));
    String lengthField =
        form.maxTokensField() == null ? Connection.Model.MAX_TOKENS : form.maxTokensField();
    if (!lengthField.equals(Connection.Model.MAX_TOKENS)
        && !lengthField.equals("max_completion_tokens")) {
      throw new IllegalArgumentException(
          "llm.maxTokensField: expected max_tokens or max_completion_tokens, got '%s'"
              .formatted(Text.storable(lengthField)));
    }
    ConnectionForm.SpendLimit budget = form.budget();
    return new Connection.Model(
        name,
        dialect,
        FormFields.address("llm.base", form.base()),
        form.secret(),
        form.headers() == null ? Map.of() : form.headers(),
        lengthField,
        prices(),
        budget == null ? null : amount("llm.budget.day", budget.day()),
        FormFields.time("llm.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    return Stream.of(form.secret());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.hostOf(form.base());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  @Override
  public void refuseHeaders() {
    FormFields.refuseHeaders("llm", form.headers(), "llm.secret");
  }

  private ModelPrices prices() {
    Map<String, ConnectionForm.TokenPrice> given = form.prices();
    var prices = new LinkedHashMap<String, ModelPrices.Price>();
    if (given != null) {
      given.forEach(
          (model, price) -> {
            String what = "llm.prices['%s']".formatted(Text.storable(model));
            BigDecimal input = amount(what + ".input", FormFields.given(what, price).input());
            BigDecimal cached = price.cachedInput();
            prices.put(
                model,
                new ModelPrices.Price(
                    input,
                    cached == null ? input : amount(what + ".cachedInput", cached),
                    amount(what + ".output", price.output())));
          });
    }
    return new ModelPrices(prices);
  }

  private static BigDecimal amount(String what, @Nullable BigDecimal value) {
    BigDecimal amount = FormFields.given(what, value);
    if (amount.signum() < 0
        || amount.compareTo(MOST_MONEY) > 0
        || amount.stripTrailingZeros().scale() > MOST_DECIMALS) {
      throw new IllegalArgumentException(
          "%s: expected an amount from 0 to 1,000,000,000 with at most 9 decimals".formatted(what));
    }
    return amount;
  }
}

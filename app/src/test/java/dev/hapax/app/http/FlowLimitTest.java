package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class FlowLimitTest {
  @Test
  void a_flow_may_be_used_by_its_name_or_by_a_label() {
    var limit = new FlowLimit(List.of("order", "bill-*"), List.of("sales"));

    assertThat(limit.allows("order", _ -> List.of())).isTrue();
    assertThat(limit.allows("bill-2", _ -> List.of("hr"))).isTrue();
    assertThat(limit.allows("other", _ -> List.of("hr", "sales"))).isTrue();
    assertThat(limit.allows("other", _ -> List.of("hr", "order"))).isFalse();
    assertThat(limit.allows("sales", _ -> List.of())).isFalse();
    assertThat(limit).hasToString("order, bill-*, label sales");
    assertThat(FlowLimit.ALL.allows("other", _ -> List.of())).isTrue();
  }

  @Test
  void only_labels_are_a_limit_too() {
    var limit = new FlowLimit(List.of(), List.of("sales"));

    assertThat(limit.isAll()).isFalse();
    assertThat(limit.onlyName()).isNull();
    assertThat(limit.allows("other", _ -> List.of())).isFalse();
    assertThat(new FlowLimit(List.of("order"), List.of()).onlyName()).isEqualTo("order");
    assertThat(new FlowLimit(List.of("order"), List.of("sales")).onlyName()).isNull();
  }

  @Test
  void the_stored_form_is_one_that_a_version_without_labels_refuses() {
    var limit = new FlowLimit(List.of("order"), List.of("sales", "eu/west"));

    assertThat(limit.toStored()).containsExactly("order", "label:sales", "label:eu/west");
    assertThat(FlowLimit.stored(limit.toStored())).isEqualTo(limit);
    assertThatThrownBy(() -> Names.flow("label:sales"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

package dev.hapax.app.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class RecordsTest {
  private final Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT);
  private final Records<Note> notes = new Records<>(hapax.kv(), "notes", Note.class);

  record Note(String text, Instant at, @Nullable String by) {
    Note(String text) {
      this(text, Instant.parse("2026-11-15T10:00:00Z"), null);
    }
  }

  @AfterEach
  void close() {
    hapax.close();
  }

  @Test
  void only_the_first_one_makes_a_record() {
    Outcome<Note> first = notes.putIfAbsent("a", new Note("first"));
    Outcome<Note> second = notes.putIfAbsent("a", new Note("second"));

    assertThat(first.written()).isTrue();
    assertThat(second).isEqualTo(new Outcome<>(false, first.standing()));
    assertThat(notes.get("a")).isEqualTo(first.standing());
    assertThat(notes.get("b")).isNull();
  }

  @Test
  void a_writer_that_read_an_older_version_changes_nothing() {
    long read = standing(notes.putIfAbsent("a", new Note("one"))).version();
    notes.update("a", note -> new Note(note.text() + " and two"));

    Outcome<Note> late = notes.compareAndSet("a", read, new Note("lost"));

    assertThat(late.written()).isFalse();
    assertThat(standing(late).value().text()).isEqualTo("one and two");
    assertThat(notes.update("nobody", note -> note)).isNull();
  }

  @Test
  void parts_of_names_never_run_into_each_other() {
    assertThat(Records.name("a", "b/c")).isNotEqualTo(Records.name("a/b", "c"));
    assertThat(Records.name("a%2Fb")).isNotEqualTo(Records.name("a/b"));

    notes.putIfAbsent(Records.name("acme", "x"), new Note("acme's"));
    notes.putIfAbsent(Records.name("acme-2", "x"), new Note("another's"));
    new Records<>(hapax.kv(), "notes2", Note.class).putIfAbsent("x", new Note("another kind's"));

    assertThat(notes.all("acme")).extracting(note -> note.value().text()).containsExactly("acme's");
    assertThat(notes.all("")).hasSize(2);
  }

  @Test
  void large_records_are_listed_like_small_ones() {
    for (int i = 0; i < 250; i++) {
      notes.putIfAbsent("n%03d".formatted(i), new Note(i % 100 == 0 ? "x".repeat(100_000) : "y"));
    }
    notes.delete("n007");

    List<Stored<Note>> page = notes.list("", "n005", 2);

    assertThat(page).extracting(Stored::name).containsExactly("n006", "n008");
    assertThat(notes.all("")).hasSize(249);
    assertThat(notes.all("").getFirst().value().text()).hasSize(100_000);
  }

  private static Stored<Note> standing(Outcome<Note> outcome) {
    return Objects.requireNonNull(outcome.standing());
  }
}

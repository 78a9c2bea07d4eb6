package dev.hapax.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A list is read whole, with rows of any size, and no page of it is large. */
class PageRowsTest {
  private static final int ROWS = 100;

  private int most;

  /** Rows have the numbers 100 to 1, newest first. */
  private List<Long> read(@Nullable Long before, int limit) {
    long from = before == null ? ROWS : before - 1;
    List<Long> part =
        LongStream.iterate(from, number -> number > 0, number -> number - 1)
            .limit(limit)
            .boxed()
            .toList();
    most = Math.max(most, part.size());
    return part;
  }

  private List<Page<Long>> pages(int limit, long bytes) {
    var rows = new PageRows<Long>(this::read, number -> number, _ -> bytes);
    var pages = new ArrayList<Page<Long>>();
    String next = null;
    do {
      Page<Long> page =
          rows.page(
              next == null ? null : Long.valueOf(next),
              limit,
              _ -> true,
              row -> row,
              String::valueOf);
      pages.add(page);
      next = page.next();
    } while (next != null);
    return pages;
  }

  @Test
  void small_rows_fill_their_pages() {
    List<Page<Long>> pages = pages(30, 100);

    assertThat(pages).extracting(page -> page.items().size()).containsExactly(30, 30, 30, 10);
    assertThat(pages.stream().flatMap(page -> page.items().stream())).hasSize(ROWS);
  }

  @Test
  void large_rows_make_short_pages() {
    List<Page<Long>> pages = pages(200, 1 << 20);

    assertThat(most).isEqualTo(8);
    assertThat(pages).allSatisfy(page -> assertThat(page.items()).hasSizeLessThan(9));
    assertThat(pages.stream().flatMap(page -> page.items().stream()).distinct()).hasSize(ROWS);
  }

  @Test
  void a_page_of_one_and_a_page_of_all_are_whole() {
    assertThat(pages(1, 1 << 30)).hasSize(ROWS);
    assertThat(pages(ROWS, 10)).hasSize(1);
  }
}

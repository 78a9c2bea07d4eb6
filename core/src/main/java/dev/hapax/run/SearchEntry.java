package dev.hapax.run;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * An entry of the search index: a text that leads to a run or an effect. It is only a hint: the row
 * itself says whether it is what was searched for. Entries are therefore short, and one that is
 * left over from a row that has changed does no harm.
 *
 * @param field what kind of text it is
 * @param number of the run or effect
 */
public record SearchEntry(String tenant, String field, String text, long number) {
  public static final String RUN_KEY = "k";
  public static final String FLOW = "f";
  public static final String VALUE = "s";
  public static final String EFFECT_KEY = "e";
  public static final String WIRE_KEY = "w";

  /** Longer texts are cut: their rows tell apart texts with the same beginning. */
  private static final int LONGEST = 64;

  /** The order of the index, in which many entries share a page. */
  public static final Comparator<SearchEntry> IN_ORDER =
      Comparator.comparing(SearchEntry::tenant)
          .thenComparing(SearchEntry::field)
          .thenComparing(SearchEntry::text)
          .thenComparingLong(SearchEntry::number);

  /** The text as it is in the index. */
  public static String cut(String text) {
    return Text.cut(text, LONGEST);
  }

  public static List<SearchEntry> ofRun(
      long number, String tenant, String flow, String key, SearchFields search) {
    List<SearchEntry> entries = new ArrayList<>();
    entries.add(new SearchEntry(tenant, RUN_KEY, cut(key), number));
    entries.add(new SearchEntry(tenant, FLOW, cut(flow), number));
    entries.addAll(ofFields(number, tenant, search));
    return entries;
  }

  /** One entry for each value: the row says which field has it. */
  public static List<SearchEntry> ofFields(long number, String tenant, SearchFields search) {
    var entries = new LinkedHashSet<SearchEntry>();
    for (String value : search.values().values()) {
      entries.add(new SearchEntry(tenant, VALUE, cut(value), number));
    }
    return List.copyOf(entries);
  }

  public static List<SearchEntry> ofEffect(long number, EffectKey key, int revision) {
    List<SearchEntry> entries = new ArrayList<>();
    entries.add(ofKey(number, key));
    for (int one = EffectSearch.firstRevision(revision); one <= revision; one++) {
      entries.add(ofRevision(number, key, one));
    }
    return entries;
  }

  public static SearchEntry ofKey(long number, EffectKey key) {
    return new SearchEntry(key.tenant(), EFFECT_KEY, cut(key.key()), number);
  }

  public static SearchEntry ofRevision(long number, EffectKey key, int revision) {
    return new SearchEntry(key.tenant(), WIRE_KEY, key.onWire(revision), number);
  }
}

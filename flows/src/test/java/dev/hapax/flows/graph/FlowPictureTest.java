package dev.hapax.flows.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.ExampleFiles;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.FlowReader;
import dev.hapax.flows.graph.Drawing.Area;
import dev.hapax.flows.graph.Drawing.Look;
import dev.hapax.flows.graph.Drawing.Point;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Nothing in a picture covers something else, no matter what the flow looks like. */
class FlowPictureTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path PAGES = BASE.resolve("../docs/flows");
  private static final Path PICTURES = PAGES.resolve("pictures");
  private static final Path EVERY_KIND =
      BASE.resolve("src/test/resources/dev/hapax/flows/good/every-kind.yaml");

  @Test
  void examples_are_laid_out_without_overlaps() throws IOException {
    for (Path file : ExampleFiles.paths()) {
      demandGoodLayout(read(Files.readString(file)));
    }
    demandGoodLayout(read(Files.readString(EVERY_KIND)));
  }

  @Test
  @Tag("simulation")
  void any_flow_is_laid_out_without_overlaps() throws Exception {
    for (int seed = 0; seed < 150; seed++) {
      FlowFile flow = read(GeneratedFlow.of(seed));
      demandGoodLayout(flow);
      assertThat(parsed(FlowPicture.svg(flow)).getTagName()).isEqualTo("svg");
    }
  }

  private static void demandGoodLayout(FlowFile flow) {
    Drawing drawing = FlowPicture.drawing(flow);
    List<Drawing.Shape> boxes =
        drawing.shapes().stream().filter(shape -> shape.look() != Look.LOOP).toList();
    for (int i = 0; i < boxes.size(); i++) {
      for (Drawing.Shape other : boxes.subList(i + 1, boxes.size())) {
        assertThat(boxes.get(i).area().overlaps(other.area()))
            .as("%s and %s of %s", boxes.get(i), other, flow.name())
            .isFalse();
      }
    }
    for (Drawing.Shape shape : drawing.shapes()) {
      demandTextsInside(shape);
      if (shape.look() == Look.LOOP) {
        demandAllOrNothing(shape, boxes);
      }
    }
    for (Drawing.Line line : drawing.lines()) {
      demandFreeWay(line, boxes);
    }
    assertThat(boxes).extracting(Drawing.Shape::step).containsAll(ids(flow));
  }

  private static List<String> ids(FlowFile flow) {
    return flow.allSteps().stream().map(step -> step.id()).toList();
  }

  private static void demandTextsInside(Drawing.Shape shape) {
    for (Drawing.Text text : shape.texts()) {
      double width = TextWidth.of(text.content(), text.style());
      double begin = text.centered() ? text.x() - width / 2 : text.x();
      var area = new Area(begin, text.y() - text.style().size(), width, text.style().size() + 3);
      assertThat(shape.area().holds(area)).as("%s of %s", text, shape).isTrue();
    }
  }

  /** A loop's frame holds a box or has nothing to do with it. */
  private static void demandAllOrNothing(Drawing.Shape loop, List<Drawing.Shape> boxes) {
    for (Drawing.Shape box : boxes) {
      assertThat(loop.area().holds(box.area()) || !loop.area().overlaps(box.area()))
          .as("%s and %s", loop, box)
          .isTrue();
    }
  }

  private static void demandFreeWay(Drawing.Line line, List<Drawing.Shape> boxes) {
    for (int i = 1; i < line.points().size(); i++) {
      Point a = line.points().get(i - 1);
      Point b = line.points().get(i);
      assertThat(a.x() == b.x() || a.y() == b.y()).isTrue();
      // Thinned, so that touching an edge is no crossing.
      var way =
          new Area(
              Math.min(a.x(), b.x()) + 0.5,
              Math.min(a.y(), b.y()) + 0.5,
              Math.abs(a.x() - b.x()) - 1,
              Math.abs(a.y() - b.y()) - 1);
      for (Drawing.Shape box : boxes) {
        if (box.look() != Look.FORK) {
          assertThat(crosses(way, box.area())).as("%s and %s", line, box).isFalse();
        }
      }
    }
  }

  private static boolean crosses(Area way, Area box) {
    var inner = new Area(box.x() + 1, box.y() + 1, box.width() - 2, box.height() - 2);
    double width = Math.max(way.width(), 0.01);
    double height = Math.max(way.height(), 0.01);
    return new Area(way.x(), way.y(), width, height).overlaps(inner);
  }

  @Test
  void texts_of_the_file_stay_texts() throws Exception {
    String hostile =
        "</text><script>alert(1)</script>\\\" & ${input.a < 1 && input.b > \\u0027x\\u0027}";
    FlowFile flow =
        read(
            """
            flow: hostile
            description: "<b>&amp; ]]> \\u0007"
            key: ${input.id}
            steps:
              - id: ask
                approval: {ask: "%s", expires: 1d}
            """
                .formatted(hostile));

    String svg = FlowPicture.svg(flow);
    Element root = parsed(svg);
    assertThat(root.getElementsByTagName("script").getLength()).isZero();
    assertThat(root.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("Flow hostile");
    assertThat(root.getElementsByTagName("desc").item(0).getTextContent())
        .contains("<b>&amp; ]]> \uFFFD", "ask: </text><script>alert(1)</script>");
    assertThat(root.getAttribute("aria-labelledby"))
        .isEqualTo("hapax-hostile-title hapax-hostile-desc");
  }

  /** The pages link pictures of examples: {@code pictures/steps-choose.svg}. */
  @Test
  void the_pictures_of_the_pages_are_what_is_drawn() throws IOException {
    var linked = new ArrayList<Path>();
    for (Path page : files(PAGES, ".md")) {
      Pattern.compile("\\(pictures/([a-z-]+)\\.svg\\)")
          .matcher(Files.readString(page))
          .results()
          .forEach(link -> linked.add(PICTURES.resolve(link.group(1) + ".svg")));
    }
    for (String example : ExampleFiles.names()) {
      Path picture = PICTURES.resolve(pictureName(example));
      if (linked.contains(picture)) {
        String drawn = FlowPicture.svg(read(Files.readString(ExampleFiles.path(example))));
        if (Boolean.getBoolean("hapax.write")) {
          Files.createDirectories(PICTURES);
          Files.writeString(picture, drawn);
        }
        assertThat(Files.readString(picture))
            .as("%s; draw it anew with -Dhapax.write=true", picture)
            .isEqualTo(drawn);
      }
    }

    assertThat(files(PICTURES, ".svg")).containsExactlyInAnyOrderElementsOf(linked).isNotEmpty();
  }

  private static String pictureName(String example) {
    return example.replace('/', '-').replace(".yaml", ".svg");
  }

  private static FlowFile read(String text) {
    FlowReader.Result read = FlowReader.read("flow.yaml", text);
    assertThat(read.problems()).as(text).isEmpty();
    return Objects.requireNonNull(read.file());
  }

  private static Element parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }
}

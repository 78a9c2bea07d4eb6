package dev.hapax.flows.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compiles the expressions of one flow file, once, when it is loaded. Expressions get no access to
 * the machine: no files, no classes, no secrets. Their length, depth and loops are limited. Used by
 * one thread.
 */
public final class ExpressionCompiler {
  static final int LONGEST = 4_000;

  /** Compiling one takes about a third of a millisecond. */
  public static final int MOST = 5_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(LONGEST)
          .maxParseRecursionDepth(64)
          .comprehensionMaxIterations(10_000)
          .maxRegexProgramSize(2_000)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  /** The functions of texts whose result is not longer than their argument. */
  private static final Set<CelStringExtensions.Function> OTHER_TEXTS =
      EnumSet.complementOf(
          EnumSet.of(
              CelStringExtensions.Function.REPLACE,
              CelStringExtensions.Function.SPLIT,
              CelStringExtensions.Function.JOIN));

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.legacyCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelExtensions.optional(), CelExtensions.strings(OTHER_TEXTS))
          .addFunctionBindings(TextFunctions.bindings())
          .addFunctionBindings(KeyFunctions.bindings())
          .addFunctionBindings(MixedNumbers.bindings())
          .build();

  /** The names that expressions can use in a file; the reader says where each one is known. */
  public static final Set<String> ROOTS =
      Set.of(
          "input",
          "steps",
          "item",
          "event",
          "schedule",
          "response",
          "output",
          "run",
          "rework",
          "lock",
          "repeat",
          "page",
          "effect");

  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '([^']*)'.*", Pattern.DOTALL);
  private static final Pattern UNDEFINED_FIELD = Pattern.compile("undefined field '([^']*)'.*");

  private final InputTypes types;
  private @Nullable CelCompiler compiler;
  private final StepNames stepNames;

  /** The same text often appears in many places of a file, and compiling is most of reading it. */
  private final Map<String, Compiled> compiled = new HashMap<>();

  private int made;

  /**
   * For a flow with this input and these steps.
   *
   * @param inputSchema null if nothing is known about the input
   */
  public ExpressionCompiler(@Nullable JsonNode inputSchema, Set<String> stepIds) {
    this.stepNames = new StepNames(stepIds);
    this.types = new InputTypes(inputSchema);
  }

  /** Created for the first expression: it costs more than compiling one. */
  private CelCompiler compiler() {
    CelCompiler known = compiler;
    if (known == null) {
      known = newCompiler();
      compiler = known;
    }
    return known;
  }

  private CelCompiler newCompiler() {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.optional(), CelExtensions.strings())
            .setTypeProvider(types)
            .addFunctionDeclarations(KeyFunctions.declarations())
            .addFunctionDeclarations(MixedNumbers.declarations())
            .addFunctionDeclarations(
                global("now", SimpleType.TIMESTAMP),
                global("random", SimpleType.DOUBLE),
                global("uuid", SimpleType.STRING),
                global(
                    "callback",
                    MapType.create(SimpleType.STRING, SimpleType.STRING),
                    SimpleType.STRING),
                approval());
    for (String root : ROOTS) {
      builder.addVar(root, root.equals("input") ? types.input() : SimpleType.DYN);
    }
    return builder.build();
  }

  /** The compiled form of a text, shared by all its places. */
  record Compiled(
      CelAbstractSyntaxTree tree, CelRuntime.Program program, Reach reach, ExpressionNodes nodes) {}

  /** With the approval's step, and the person whom the link is for. */
  private static CelFunctionDecl approval() {
    CelType link = MapType.create(SimpleType.STRING, SimpleType.STRING);
    return CelFunctionDecl.newFunctionDeclaration(
        "approval",
        CelOverloadDecl.newGlobalOverload("hapax_approval", link, SimpleType.STRING),
        CelOverloadDecl.newGlobalOverload(
            "hapax_approval_for", link, SimpleType.STRING, SimpleType.STRING));
  }

  private static CelFunctionDecl global(String name, CelType result, CelType... parameters) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newGlobalOverload("hapax_" + name, result, parameters));
  }

  /** Never throws: an expression with problems has no value, and reports why. */
  public Expression compile(String text, Position position, List<ExpressionProblem> problems) {
    if (text.isBlank()) {
      problems.add(new ExpressionProblem(position, "there is no expression between ${ and }"));
      return Expression.broken(text, position);
    }
    if (text.length() > LONGEST) {
      problems.add(
          new ExpressionProblem(
              position,
              "an expression has at most %,d characters, but this one has %,d"
                  .formatted(LONGEST, text.length())));
      return Expression.broken(text, position);
    }
    try {
      Compiled known = compiled.get(text);
      if (known != null) {
        return new Expression(text, position, known);
      }
      if (++made > MOST) {
        if (made == MOST + 1) {
          problems.add(
              new ExpressionProblem(
                  position, "a file has at most %,d different expressions".formatted(MOST)));
        }
        return Expression.broken(text, position);
      }
      CelValidationResult result = compiler().compile(stepNames.quoted(text));
      if (result.hasError()) {
        problems.addAll(problemsOf(result, text, position));
        return Expression.broken(text, position);
      }
      CelAbstractSyntaxTree tree = result.getAst();
      var fresh =
          new Compiled(
              tree,
              RUNTIME.createProgram(tree),
              Reach.of(tree.getExpr()),
              new ExpressionNodes(tree.getExpr()));
      compiled.put(text, fresh);
      return new Expression(text, position, fresh);
    } catch (CelValidationException
        | CelEvaluationException
        | RuntimeException
        | StackOverflowError e) {
      problems.add(
          new ExpressionProblem(position, "'%s': it cannot be compiled".formatted(shown(text))));
      return Expression.broken(text, position);
    }
  }

  private List<ExpressionProblem> problemsOf(
      CelValidationResult result, String text, Position position) {
    var problems = new ArrayList<ExpressionProblem>();
    for (CelIssue issue : result.getErrors()) {
      int line = issue.getSourceLocation().getLine();
      int column = issue.getSourceLocation().getColumn();
      Position at = line == 1 && column > 0 ? position.right(column) : position;
      problems.add(new ExpressionProblem(at, "'%s': %s".formatted(shown(text), explained(issue))));
    }
    return problems;
  }

  private static String shown(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private String explained(CelIssue issue) {
    String message = issue.getMessage();
    Matcher undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      String name = undeclared.group(1);
      return "'%s' is unknown%s".formatted(name, Suggestion.among(name, ROOTS));
    }
    Matcher field = UNDEFINED_FIELD.matcher(message);
    if (field.matches()) {
      String name = field.group(1);
      String near = Suggestion.among(name, types.fields());
      return "the input has no field '%s'%s"
          .formatted(name, near.isEmpty() ? ". Declare it under input.properties" : near);
    }
    return ExpressionWords.of(message);
  }
}

package dev.hapax.testkit.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.constant.ConstantDescs;
import java.lang.instrument.ClassDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replaces real classes with those of a mutant, until they are taken away. */
final class MutantClasses {
  private final List<ClassDefinition> real = new ArrayList<>();

  private MutantClasses() {}

  /** Puts them in place. Nothing runs in them meanwhile. */
  static MutantClasses put(Map<String, byte[]> mutant) throws Exception {
    var classes = new MutantClasses();
    List<ClassDefinition> broken = new ArrayList<>();
    for (var entry : mutant.entrySet()) {
      Class<?> type = Class.forName(entry.getKey());
      byte[] bytes = bytesOf(type);
      classes.real.add(new ClassDefinition(type, bytes));
      broken.add(new ClassDefinition(type, withCodeOf(entry.getValue(), bytes)));
    }
    redefine(broken);
    return classes;
  }

  /** Puts the real classes back. */
  void takeAway() throws Exception {
    redefine(real);
  }

  private static void redefine(List<ClassDefinition> classes) throws Exception {
    MutantAgent.instrumentation().redefineClasses(classes.toArray(ClassDefinition[]::new));
  }

  /**
   * Returns the real class with the mutant's methods. The JVM compares the rest byte by byte, with
   * places in the constant pool, so nothing else may differ. A lambda that the mutant adds is
   * missing when it is called; a lambda that it leaves out stays and is never called.
   */
  private static byte[] withCodeOf(byte[] mutant, byte[] real) {
    Map<String, MethodModel> methods = new HashMap<>();
    ClassFile.of().parse(mutant).methods().forEach(it -> methods.put(signature(it), it));
    for (MethodModel method : ClassFile.of().parse(real).methods()) {
      boolean isStatic = method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
      if (isStatic && !instructions(method).equals(instructions(methods.get(signature(method))))) {
        throw new IllegalArgumentException(
            "what a class does when it is loaded is not done again: change no static field, and no order of constants in a switch");
      }
    }
    return ClassFile.of()
        .transformClass(
            ClassFile.of().parse(real),
            (builder, element) -> {
              CodeModel code =
                  element instanceof MethodModel it ? codeOf(methods.get(signature(it))) : null;
              if (code == null) {
                builder.with(element);
              } else {
                builder.transformMethod(
                    (MethodModel) element,
                    (method, part) -> method.with(part instanceof CodeModel ? code : part));
              }
            });
  }

  private static List<String> instructions(@Nullable MethodModel method) {
    CodeModel code = codeOf(method);
    return code == null
        ? List.of()
        : code.elementStream().filter(Instruction.class::isInstance).map(Object::toString).toList();
  }

  private static @Nullable CodeModel codeOf(@Nullable MethodModel method) {
    return method == null ? null : method.code().orElse(null);
  }

  private static String signature(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  private static byte[] bytesOf(Class<?> type) throws IOException {
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      return Objects.requireNonNull(in, file).readAllBytes();
    }
  }
}

package dev.hapax.app;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of packages whose public signatures name only types of these packages and of the JDK, so
 * that their users need to see nothing else.
 */
record Ring(Set<String> packages) {

  /** The types outside the ring that its public signatures name, each with where it is named. */
  Set<String> leaks(Class<?> anyOfItsModule) {
    var leaks = new TreeSet<String>();
    for (Class<?> type : typesBeside(anyOfItsModule)) {
      if (isSeen(type)) {
        named(type, leaks);
      }
    }
    return leaks;
  }

  private void named(Class<?> type, Set<String> leaks) {
    String name = type.getName();
    note(name + " extends", type.getGenericSuperclass(), leaks);
    Arrays.stream(type.getGenericInterfaces()).forEach(each -> note(name, each, leaks));
    bounds(name, type.getTypeParameters(), leaks);
    for (Field field : type.getDeclaredFields()) {
      if (isSeen(field)) {
        note(name + "." + field.getName(), field.getGenericType(), leaks);
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      called(name + ".<init>", constructor, leaks);
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isSeen(method)) {
        note(name + "." + method.getName(), method.getGenericReturnType(), leaks);
      }
      called(name + "." + method.getName(), method, leaks);
    }
  }

  private void called(String name, Executable member, Set<String> leaks) {
    if (isSeen(member)) {
      bounds(name, member.getTypeParameters(), leaks);
      Arrays.stream(member.getGenericParameterTypes()).forEach(each -> note(name, each, leaks));
      Arrays.stream(member.getGenericExceptionTypes()).forEach(each -> note(name, each, leaks));
    }
  }

  private void bounds(String name, TypeVariable<?>[] variables, Set<String> leaks) {
    for (TypeVariable<?> variable : variables) {
      Arrays.stream(variable.getBounds()).forEach(each -> note(name, each, leaks));
    }
  }

  private void note(String name, @Nullable Type type, Set<String> leaks) {
    switch (type) {
      case null -> {}
      case Class<?> named when named.isArray() -> note(name, named.getComponentType(), leaks);
      case Class<?> named -> {
        if (!isShared(named)) {
          leaks.add("%s names %s".formatted(name, named.getName()));
        }
      }
      case ParameterizedType generic -> {
        note(name, generic.getRawType(), leaks);
        Arrays.stream(generic.getActualTypeArguments()).forEach(each -> note(name, each, leaks));
      }
      case GenericArrayType array -> note(name, array.getGenericComponentType(), leaks);
      case WildcardType wildcard -> {
        Arrays.stream(wildcard.getUpperBounds()).forEach(each -> note(name, each, leaks));
        Arrays.stream(wildcard.getLowerBounds()).forEach(each -> note(name, each, leaks));
      }
      default -> {} // a type variable: its bounds are looked at where it is declared
    }
  }

  private boolean isShared(Class<?> type) {
    String name = type.getPackageName();
    return name.startsWith("java.")
        || name.startsWith("javax.")
        || (packages.contains(name) && isSeen(type));
  }

  private static boolean isSeen(Member member) {
    return !member.isSynthetic() && isOpen(member.getModifiers());
  }

  /** Whether the type and all types around it are public. */
  private static boolean isSeen(Class<?> type) {
    Class<?> around = type.getDeclaringClass();
    return type.isPrimitive()
        || (isOpen(type.getModifiers())
            && !type.isSynthetic()
            && !type.isAnonymousClass()
            && (around == null || isSeen(around)));
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private List<Class<?>> typesBeside(Class<?> one) {
    try {
      Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        return typesIn(place, one.getClassLoader());
      }
      try (FileSystem jar =
          FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
        return typesIn(jar.getPath("/"), one.getClassLoader());
      }
    } catch (IOException | ReflectiveOperationException | URISyntaxException e) {
      throw new IllegalStateException("the classes beside %s cannot be read".formatted(one), e);
    }
  }

  private List<Class<?>> typesIn(Path root, ClassLoader loader)
      throws IOException, ReflectiveOperationException {
    var found = new ArrayList<Class<?>>();
    for (String name : new TreeSet<>(packages)) {
      try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
        for (Path file : files.sorted().toList()) {
          String simple = String.valueOf(file.getFileName());
          if (simple.endsWith(".class") && !simple.startsWith("package-info")) {
            String type = simple.substring(0, simple.length() - ".class".length());
            found.add(Class.forName(name + "." + type, false, loader));
          }
        }
      }
    }
    return found;
  }
}

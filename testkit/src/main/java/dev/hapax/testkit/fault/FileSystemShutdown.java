package dev.hapax.testkit.fault;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Shuts a file system down while programs use it, by an ioctl of ext4 and XFS. {@link LoopDisk}
 * calls it directly and not by a command, so that a cut comes right after the event that it is
 * meant to follow.
 */
final class FileSystemShutdown {
  /** {@code _IOR('X', 125, __u32)}. */
  private static final long SHUTDOWN = 0x8004587DL;

  /** Neither data nor the file system's own journal is written: what a power cut leaves. */
  private static final int NO_LOG_FLUSH = 2;

  private static final int READ_ONLY = 0;

  private static final MethodHandle OPEN =
      libc("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), 2);
  private static final MethodHandle IOCTL =
      libc("ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), 2);
  private static final MethodHandle CLOSE =
      libc("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), 1);

  private FileSystemShutdown() {}

  static void of(Path mountPoint) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(mountPoint.toString()), READ_ONLY);
      if (descriptor < 0) {
        throw new IOException(mountPoint + " cannot be opened");
      }
      MemorySegment how = arena.allocateFrom(JAVA_INT, NO_LOG_FLUSH);
      int answer = (int) IOCTL.invokeExact(descriptor, SHUTDOWN, how);
      int closed = (int) CLOSE.invokeExact(descriptor);
      if (answer != 0 || closed != 0) {
        throw new IOException(mountPoint + " refuses to be shut down");
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("libc could not be called", e);
    }
  }

  @SuppressWarnings("restricted") // Java itself has no ioctl
  private static MethodHandle libc(String name, FunctionDescriptor type, int fixedArguments) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function = linker.defaultLookup().findOrThrow(name);
    return fixedArguments < type.argumentLayouts().size()
        ? linker.downcallHandle(function, type, Linker.Option.firstVariadicArg(fixedArguments))
        : linker.downcallHandle(function, type);
  }
}

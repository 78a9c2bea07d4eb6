package dev.hapax.testkit.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A separate disk that can lose its power and be full: an ext4 file system in a file. Needs root on
 * Linux. For one thread. Closing unmounts it, even while programs still use it.
 */
public final class LoopDisk implements AutoCloseable {
  private static final Duration LONGEST_BUSY = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int BLOCK_BYTES = 4096;

  private final Path image;
  private final Path root;

  private LoopDisk(Path image, Path root) {
    this.image = image;
    this.root = root;
  }

  /** Makes an empty disk whose image and mount point are in this directory, and mounts it. */
  public static LoopDisk make(Path directory, int megabytes)
      throws IOException, InterruptedException {
    var disk = new LoopDisk(directory.resolve("disk.img"), directory.resolve("disk"));
    try (var file = new RandomAccessFile(disk.image.toFile(), "rw")) {
      file.setLength((long) megabytes << 20);
    }
    // No blocks kept back for root: the tests run as root, and full must mean full.
    Tool.must("mkfs.ext4", "-q", "-F", "-m", "0", disk.image.toString());
    Files.createDirectory(disk.root);
    disk.mount();
    return disk;
  }

  /** Returns why this machine cannot have such a disk and cut its power; null if it can. */
  public static @Nullable String obstacle(Path directory) throws InterruptedException {
    try {
      Path probe = Files.createTempDirectory(directory, "probe");
      try (LoopDisk disk = make(probe, 16)) {
        disk.cutPower();
      }
      return null;
    } catch (IOException e) {
      return "a loop-mounted ext4 disk and its shutdown need root on Linux: " + e.getMessage();
    }
  }

  public Path root() {
    return root;
  }

  /**
   * Cuts the power: nothing reaches the disk any more, and unsynced data is lost. Send SIGKILL to
   * the processes that use it right before: a sync that is under way at this instant can return
   * success although nothing was written (measured with a bare write and fsync loop, 23 of 375 cuts
   * on a busy machine; with SIGKILL first none of 400). This error belongs to this recipe and to no
   * real disk.
   */
  public void cutPower() throws IOException {
    FileSystemShutdown.of(root);
  }

  /** Mounts the disk again; all processes that used it must be gone. */
  public void restorePower() throws IOException, InterruptedException {
    Tool.Result unmounted = unmount();
    if (!unmounted.isDone()) {
      throw new IOException(root + " is still in use: " + unmounted.said());
    }
    mount();
  }

  /** Writes until only this much space is left; {@link #free} takes it back. */
  public void fill(long leavingBytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(filler(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      var block = ByteBuffer.allocate(BLOCK_BYTES);
      while (Files.getFileStore(root).getUnallocatedSpace() > leavingBytes) {
        file.write(block.rewind());
      }
      while (leavingBytes == 0) {
        file.write(block.rewind()); // the last blocks are not counted, but can be had
      }
    } catch (IOException e) {
      if (leavingBytes > 0) {
        throw e;
      }
      // The disk is full, as intended.
    }
  }

  public void free() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return root.resolve("filler");
  }

  private void mount() throws IOException, InterruptedException {
    Tool.must("mount", "-o", "loop", image.toString(), root.toString());
  }

  /** A process that was killed may hold its files for a moment longer. */
  private Tool.Result unmount() throws IOException, InterruptedException {
    long end = System.nanoTime() + LONGEST_BUSY.toNanos();
    Tool.Result result = Tool.run("umount", root.toString());
    while (!result.isDone() && System.nanoTime() < end) {
      Thread.sleep(PAUSE);
      result = Tool.run("umount", root.toString());
    }
    return result;
  }

  @Override
  public void close() throws IOException {
    try {
      if (!unmount().isDone()) {
        Tool.must("umount", "--lazy", root.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before " + root + " was unmounted", e);
    }
  }
}

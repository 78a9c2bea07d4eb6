/**
 * Does one thing, never twice at the same time. A wish that comes while it is being done is fulfilled
 * once, afterwards: answers that are slower than the wishes still arrive.
 */
export class OneAtATime {
  private control: AbortController | null = null;
  private isWanted = false;

  /** @param run must not throw; its signal is aborted by stop() */
  constructor(private readonly run: (signal: AbortSignal) => Promise<void>) {}

  ask(): void {
    if (this.control) {
      this.isWanted = true;
      return;
    }
    const control = new AbortController();
    this.control = control;
    this.isWanted = false;
    void this.run(control.signal).then(() => {
      if (this.control !== control) return; // it was stopped
      this.control = null;
      if (this.isWanted) this.ask();
    });
  }

  /** Aborts what is under way, and forgets what is wanted. */
  stop(): void {
    this.control?.abort();
    this.control = null;
    this.isWanted = false;
  }
}

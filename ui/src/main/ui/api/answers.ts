/**
 * The last answers, so that going back shows something at once. What a component shows is never
 * forgotten; of the others, the oldest goes first.
 */
export class Answers {
  private readonly all = new Map<string, unknown>();
  private readonly shown = new Map<string, number>();

  constructor(private readonly mostUnseen: number) {}

  get(key: string): unknown {
    return this.all.get(key);
  }

  keep(key: string, answer: unknown): void {
    this.all.delete(key);
    this.all.set(key, answer);
    this.forgetOldest();
  }

  /** Says that a component shows this answer; returns what ends it. */
  show(key: string): () => void {
    this.shown.set(key, (this.shown.get(key) ?? 0) + 1);
    return () => {
      const count = this.shown.get(key)! - 1;
      if (count > 0) this.shown.set(key, count);
      else this.shown.delete(key);
      this.forgetOldest();
    };
  }

  clear(): void {
    this.all.clear();
  }

  private forgetOldest(): void {
    let unseen = 0;
    for (const key of this.all.keys()) if (!this.shown.has(key)) unseen++;
    for (const key of this.all.keys()) {
      if (unseen <= this.mostUnseen) return;
      if (this.shown.has(key)) continue;
      this.all.delete(key);
      unseen--;
    }
  }
}

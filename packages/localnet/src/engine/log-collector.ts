/** Bytes of log a validator keeps for one transaction. */
const MAX_LOG_BYTES = 10_000;

/** Log lines of one transaction, cut where a validator cuts them. */
export class LogCollector {
  readonly lines: string[] = [];
  #bytes = 0;
  #isTruncated = false;

  add(line: string): void {
    if (this.#isTruncated) return;
    const bytes = this.#bytes + Buffer.byteLength(line);
    if (bytes >= MAX_LOG_BYTES) {
      this.#isTruncated = true;
      this.lines.push('Log truncated');
      return;
    }
    this.#bytes = bytes;
    this.lines.push(line);
  }
}

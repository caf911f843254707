/** A line that kafkajs logs, without what a logger adds. */
export interface KafkaLine {
  readonly namespace: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** An outage is over when nothing was said for so long: kafkajs tries again, and says so, every few seconds. */
const QUIET_MS = 60_000;

/**
 * Whether a line is news. While brokers are away kafkajs says the same of every try of every connection, hundreds of lines a minute that
 * differ in attempts, milliseconds and correlation ids. Each is said once in an outage, of each broker.
 */
export function createOncePerOutage(nowMs: () => number = () => performance.now()): (line: KafkaLine) => boolean {
  const said = new Set<string>();
  let heardMs = Number.NEGATIVE_INFINITY;
  return ({ namespace, message, broker, error }) => {
    if (nowMs() - heardMs > QUIET_MS) said.clear();
    heardMs = nowMs();
    const what = [namespace, message, error ?? ''].map((part) => String(part).replace(/\d+/g, '#'));
    const key = [...what, broker ?? ''].join('\n');
    if (said.has(key)) return false;
    said.add(key);
    return true;
  };
}

/** One line of a transaction's logs with the program that stood at the top of the stack when it was written. */
export interface LogLine {
  readonly kind: 'data' | 'log' | 'failed';
  readonly programId: string;
  /** 1 for an instruction of the transaction, more inside calls. */
  readonly depth: number;
  /** How many instructions of the transaction had logged a start before this line. */
  readonly started: number;
  /** Place of the invocation it was written in among all of them. */
  readonly invocation: number;
  /** What stands after the line's prefix. */
  readonly text: string;
}

/** A program that was called, by the transaction (depth 1) or by another program. */
export interface Invocation {
  readonly programId: string;
  readonly depth: number;
}

export interface WalkedLogs {
  readonly lines: readonly LogLine[];
  /** Programs of the transaction's own instructions that logged a start, in order. Signature checks never do. */
  readonly started: readonly string[];
  /** Every call that was logged, in the order they began. */
  readonly invocations: readonly Invocation[];
  readonly isTruncated: boolean;
}

const ID = '[1-9A-HJ-NP-Za-km-z]{32,44}';
const INVOKE = new RegExp(`^Program (${ID}) invoke \\[(\\d+)\\]$`);
const SUCCESS = new RegExp(`^Program (${ID}) success$`);
const FAILED = new RegExp(`^Program (${ID}) failed: (.*)$`, 's');
const DATA = 'Program data: ';
const LOG = 'Program log: ';

/**
 * Attributes every line by the stack of invocations. What a program logs itself always begins with `Program log:` or `Program data:`,
 * so it cannot feign another program's. Reading stops where the runtime says that it cut the logs: it may still write short lines
 * after that, but starts and ends are missing among them.
 */
export function walkLogs(logs: readonly string[]): WalkedLogs {
  const lines: LogLine[] = [];
  const stack: number[] = [];
  const started: string[] = [];
  const invocations: Invocation[] = [];
  for (const line of logs) {
    if (line === 'Log truncated') return { lines, started, invocations, isTruncated: true };
    const invoke = INVOKE.exec(line);
    if (invoke?.[1] !== undefined) {
      stack.length = Math.min(stack.length, Math.max(0, Number(invoke[2]) - 1));
      stack.push(invocations.length);
      invocations.push({ programId: invoke[1], depth: stack.length });
      if (stack.length === 1) started.push(invoke[1]);
      continue;
    }
    const invocation = stack.at(-1);
    const top = invocation === undefined ? undefined : invocations[invocation]?.programId;
    if (invocation === undefined || top === undefined) continue;
    const at = { programId: top, depth: stack.length, started: started.length, invocation };
    if (line.startsWith(DATA)) lines.push({ kind: 'data', ...at, text: line.slice(DATA.length) });
    else if (line.startsWith(LOG)) lines.push({ kind: 'log', ...at, text: line.slice(LOG.length) });
    else if (SUCCESS.exec(line)?.[1] === top) stack.pop();
    else {
      const failed = FAILED.exec(line);
      if (failed?.[1] !== top) continue;
      lines.push({ kind: 'failed', ...at, text: failed[2] ?? '' });
      stack.pop();
    }
  }
  return { lines, started, invocations, isTruncated: false };
}

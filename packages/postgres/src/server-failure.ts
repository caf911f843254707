import { type ErrorCode, LendingError } from '@lending/errors';

const DISK_FULL = /no space left on device|disk quota exceeded|ENOSPC|EDQUOT/i;
const PORT_TAKEN = /address already in use/i;

/**
 * Turns what a program of the server printed before it died into one error.
 * @param what the step that failed, as the start of a sentence.
 */
export function toServerFailure(what: string, stderr: string, cause?: unknown): LendingError {
  const reason = firstRealLine(stderr) ?? (cause instanceof Error ? cause.message : 'it said nothing');
  const all = `${stderr}\n${reason}`;
  return new LendingError(codeOf(all), { message: `${what}: ${reason}`, context: { reason }, cause });
}

function codeOf(text: string): ErrorCode {
  if (DISK_FULL.test(text)) return 'RUNTIME__DISK_EXCEEDED';
  if (PORT_TAKEN.test(text)) return 'RUNTIME__PORT_UNAVAILABLE';
  return 'POSTGRES__UNAVAILABLE';
}

/** The line that names the trouble, without the timestamp and process id in front of it. */
function firstRealLine(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling =
    lines.find((line) => DISK_FULL.test(line)) ?? lines.find((line) => /(FATAL|PANIC|error):/i.test(line));
  return (telling ?? lines[0])?.replace(/^.*?(?=(FATAL|PANIC|LOG|WARNING):)/, '').slice(0, 300);
}

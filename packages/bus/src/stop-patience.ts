/** How long a log that does not answer is waited for once the process stops: well below what all of a stop may take. */
export const STOP_PATIENCE_MS = 3_000;

/** Resolves when leaving is over, or took too long: of brokers that are out of reach nobody can take leave. Never throws. */
export async function leaveInTime(leaving: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.resolve(), STOP_PATIENCE_MS);
  await Promise.race([leaving, late.promise]).catch(() => undefined);
  clearTimeout(timer);
}

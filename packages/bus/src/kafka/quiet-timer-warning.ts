/**
 * kafkajs 2.2.4 computes a negative delay on every connection, which Node 24 reports as `TimeoutNegativeWarning` and treats as
 * 1 ms, as always. That one warning is dropped by its name; every other one passes.
 */
export function quietTimerWarning(): void {
  if (isQuiet) return;
  isQuiet = true;
  const emitWarning = process.emitWarning.bind(process) as (...all: unknown[]) => void;
  process.emitWarning = (...all: unknown[]) => {
    if (all[1] !== 'TimeoutNegativeWarning') emitWarning(...all);
  };
}

let isQuiet = false;

import { decodeEvent, type EventLayout, isEventOf, MARGINFI_ERRORS } from '@lending/programs';
import { expect } from 'vitest';
import type { ExecutionResult } from '#engine/engine.ts';

/** Fails the test with the logs when the transaction did not succeed. */
export function expectDone(result: ExecutionResult): ExecutionResult {
  expect(result.error, result.logs.join('\n')).toBeNull();
  return result;
}

/** The error of the program that a transaction ended with, by name; another's as it is. */
export function errorOf({ error }: ExecutionResult): unknown {
  const reason = (error as { InstructionError?: [number, unknown] } | null)?.InstructionError?.[1];
  const number = (reason as { Custom?: number } | undefined)?.Custom;
  if (number === undefined) return reason ?? error;
  const known = Object.entries(MARGINFI_ERRORS).find(([, value]) => value === number);
  return known?.[0] ?? number;
}

/** The events of a kind that a transaction logged. */
export function eventsOf<T>({ logs }: ExecutionResult, layout: EventLayout<T>): readonly T[] {
  return logs
    .filter((line) => line.startsWith('Program data: '))
    .map((line) => new Uint8Array(Buffer.from(line.slice('Program data: '.length), 'base64')))
    .filter((bytes) => isEventOf(layout, bytes))
    .map((bytes) => decodeEvent(layout, bytes));
}

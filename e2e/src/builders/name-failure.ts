import type { BuildRequest } from '@lending/api';
import { LendingError, toWireError } from '@lending/errors';
import { SWAP_PROGRAM } from '@lending/localnet';
import { explainProgramError, type InstructionErrorPair } from '@lending/venues';
import type { LandingFailure } from './land-build.ts';

/** What a failure on the chain is called in our codes, null where no program failed; with the runtime's error as JSON. */
export function nameFailure({ error, logs }: LandingFailure, kind: BuildRequest['kind']) {
  const pair = (error as { readonly InstructionError?: InstructionErrorPair }).InstructionError ?? null;
  const explained = explainProgramError({ logs, error: pair, swapPrograms: [SWAP_PROGRAM], ...actionOf(kind) });
  const code = explained === null ? null : toWireError(new LendingError(explained.code)).code;
  return { code, error: JSON.stringify(error, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)) };
}

function actionOf(kind: BuildRequest['kind']) {
  if (kind === 'create_account') return {};
  return { action: kind === 'close_position' ? 'close-position' : kind } as const;
}

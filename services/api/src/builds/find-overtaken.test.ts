import { expect, it } from 'vitest';
import { findOvertaken } from './find-overtaken.ts';

const DEPLOYED = 2_000n;

it.each<[string, number | null, bigint | null, bigint, boolean]>([
  ['built before the program that met it', 1_999, DEPLOYED, 2_001n, true],
  ['built in the slot of the deployment', 2_000, DEPLOYED, 2_000n, true],
  ['built since', 2_001, DEPLOYED, 2_005n, false],
  ['met by the program that it was built for', 1_990, DEPLOYED, 1_999n, false],
  ['built in a slot that is not known', null, DEPLOYED, 2_001n, false],
  ['met by a program whose slot is not known', 1_990, null, 2_001n, false],
])('of a plan %s', async (_, builtAt, deploySlot, metAt, isOvertaken) => {
  const plan = { envelope: { as_of: { slot: builtAt } } };
  const programWatch = { deploySlot: async () => deploySlot };
  const error = await findOvertaken({ programWatch }, plan as never, metAt, AbortSignal.timeout(1_000));
  expect(error?.code ?? null).toBe(isOvertaken ? 'ACTION__PROGRAM_UPGRADING' : null);
  if (isOvertaken) expect(error?.context).toEqual({ deploy_slot: 2_000, built_slot: builtAt });
});

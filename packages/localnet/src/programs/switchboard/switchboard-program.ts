import { SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { submitResponses } from './submit-responses.ts';

/**
 * Switchboard On-Demand as far as a crank goes: oracles' signatures over a recent slot's hash become a feed's result. Its code is not
 * published: accounts, arguments and error numbers are the IDL's, how a result comes of submissions is read off recorded feeds, the order of
 * its checks and the bytes the oracles sign are the model's own. It pays oracles nothing, and tells no events.
 */
export const switchboardProgram: Program = {
  programId: SWITCHBOARD_ON_DEMAND_PROGRAM,
  handle: createDispatch([submitResponses]),
  units: 50_000n,
};

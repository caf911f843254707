import { SWITCHBOARD_ERRORS, type SwitchboardErrorName } from '@lending/programs';
import { AnchorError } from '#programs/anchor/anchor-error.ts';

/** Ends the instruction with an error of the program's own. @throws AnchorError, always */
export function fail(name: SwitchboardErrorName): never {
  throw new AnchorError(name, SWITCHBOARD_ERRORS[name]);
}

/** @throws AnchorError when it does not hold. */
export function check(holds: boolean, name: SwitchboardErrorName): asserts holds {
  if (!holds) fail(name);
}

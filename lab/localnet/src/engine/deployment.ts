import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountSource, AccountState } from './engine.ts';
import { UPGRADEABLE_LOADER } from './runtime-addresses.ts';

/** A program of the upgradeable loader, as it was last deployed. */
export interface Deployment {
  readonly slot: bigint;
  readonly code: Uint8Array;
}

/** Tags of the loader's accounts. @see solana-loader-v3-interface `UpgradeableLoaderState` */
const PROGRAM = 2;
const PROGRAM_DATA = 3;
/** Tag, slot, and an authority, whose place is kept where there is none. */
const CODE_AT = 45;

/** The account of a program whose code lies at another address. */
export function encodeProgram(programData: Uint8Array): Uint8Array {
  return Uint8Array.from([PROGRAM, 0, 0, 0, ...programData]);
}

/** The account that holds a program's code, which nobody may replace. */
export function encodeProgramData({ slot, code }: Deployment): Uint8Array {
  const data = new Uint8Array(CODE_AT + code.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, PROGRAM_DATA, true);
  view.setBigUint64(4, slot, true);
  data.set(code, CODE_AT);
  return data;
}

/** Null for a program of another loader, and where the account with its code is missing. */
export function deploymentOf(program: Pick<AccountState, 'owner' | 'data'>, source: AccountSource): Deployment | null {
  if (program.owner !== UPGRADEABLE_LOADER || program.data[0] !== PROGRAM) return null;
  const address: Address = readAddress(program.data, 4);
  const data = source.get(address)?.data;
  if (data === undefined || data.length < CODE_AT) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { slot: view.getBigUint64(4, true), code: data.subarray(CODE_AT) };
}

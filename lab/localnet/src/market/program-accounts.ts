import {
  ASSOCIATED_TOKEN_PROGRAM,
  bankLayout,
  DRIFT_PROGRAM,
  feeStateLayout,
  getAddressBytes,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  type ProgramVersion,
  PYTH_PUSH_ORACLE_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  RELEASES,
  releaseOf,
  SOLEND_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { hasBytesAt } from '#engine/bytes.ts';
import { encodeProgram, encodeProgramData } from '#engine/deployment.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { AccountState } from '#engine/engine.ts';
import {
  BPF_LOADER,
  COMPUTE_BUDGET_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
  UPGRADEABLE_LOADER,
} from '#engine/runtime-addresses.ts';
import { codeOfVersion } from '#programs/marginfi/version.ts';
import { SWAP_PROGRAM } from '#programs/swap/swap-pool.ts';
import { rentExempt } from './rent.ts';

const BUILT_IN = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, LOOKUP_TABLE_PROGRAM];
/** The programs that the demo market's accounts belong to or are derived under, but for the lending program. */
const DEPLOYED = [
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  PYTH_PUSH_ORACLE_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SWAP_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  KLEND_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  DRIFT_PROGRAM,
  SOLEND_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
];

/** The lending program as it was deployed: the version that runs, and since when. */
export interface DeployedVersion {
  readonly version: string;
  readonly slot: bigint;
}

/** Where the chain keeps what is deployed as the lending program. */
const LENDING_PROGRAM_DATA = findProgramAddress([getAddressBytes(MARGINFI_PROGRAM)], UPGRADEABLE_LOADER).address;

/**
 * An executable account for every program a client may ask for. They hold no code: what runs is the engine's own model, and a
 * program it has no model of does not run. Of the lending program the model is told which version is deployed.
 */
export function programAccounts(deployed: DeployedVersion): ReadonlyMap<Address, AccountState> {
  const owned = (owner: Address, programs: readonly Address[]) =>
    programs.map((program) => [program, executable(owner)] as const);
  return new Map([
    ...owned(NATIVE_LOADER, BUILT_IN),
    ...owned(BPF_LOADER, DEPLOYED),
    [MARGINFI_PROGRAM, executable(UPGRADEABLE_LOADER, encodeProgram(getAddressBytes(LENDING_PROGRAM_DATA)))],
    deployment(deployed),
  ]);
}

/** The account to write where another version is deployed: it runs from the next slot on. */
export function deployment({ version, slot }: DeployedVersion): readonly [Address, AccountState] {
  const data = encodeProgramData({ slot, code: codeOfVersion(version) });
  const state = { lamports: rentExempt(data.length), owner: UPGRADEABLE_LOADER, data, executable: false };
  return [LENDING_PROGRAM_DATA, state];
}

/** When the chain that begins at a slot got a version: at mainnet's slot, where that is known and over. */
export function deployedBefore(slot: bigint, version: ProgramVersion): DeployedVersion {
  const known = releaseOf(version).deploySlot;
  const before = slot === 0n ? 0n : slot - 1n;
  return { version, slot: known !== null && known < before ? known : before };
}

const SIZED = [
  [bankLayout.discriminator, 'bank'],
  [marginfiGroupLayout.discriminator, 'group'],
  [feeStateLayout.discriminator, 'feeState'],
] as const;

/** How long a version takes an account of the lending program to be; null for one that no version lengthens, or that none made. */
export function lengthOf({ owner, data }: AccountState, version: ProgramVersion) {
  const kind = SIZED.find(([discriminator]) => hasBytesAt(data, 0, discriminator))?.[1];
  const isWhole = kind !== undefined && RELEASES.some((release) => release.sizes[kind] === data.length);
  return isWhole && owner === MARGINFI_PROGRAM ? { kind, bytes: releaseOf(version).sizes[kind] } : null;
}

/** The accounts of the lending program as long as a version takes them to be; what is added are zeros, as the program adds them. */
export function* lengthened(
  accounts: Iterable<readonly [Address, AccountState]>,
  version: ProgramVersion,
): Generator<readonly [Address, AccountState]> {
  for (const [address, state] of accounts) {
    const bytes = lengthOf(state, version)?.bytes ?? 0;
    yield [address, bytes <= state.data.length ? state : lengthen(state, bytes)];
  }
}

function lengthen(state: AccountState, size: number): AccountState {
  const data = new Uint8Array(size);
  data.set(state.data);
  return { ...state, lamports: state.lamports + rentExempt(size) - rentExempt(state.data.length), data };
}

function executable(owner: Address, data: Uint8Array = new Uint8Array()): AccountState {
  return { lamports: rentExempt(data.length), owner, data, executable: true };
}

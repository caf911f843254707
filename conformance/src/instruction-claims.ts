import type { InstructionLayout } from '@lending/programs';
import * as programs from '@lending/programs';
import type { IdlField } from './idl.ts';

/** An instruction that claims to be one of an IDL. */
export interface InstructionClaim {
  readonly layout: InstructionLayout;
  readonly idl: string;
  /** Arguments that a version newer than the published IDL appended. */
  readonly appended?: readonly IdlField[];
  /** Arguments that a version newer than the published IDL has instead of the IDL's. */
  readonly args?: readonly IdlField[];
}

/** 0.1.9 appended it: both forms are read. */
const NEWER: Readonly<Record<string, Pick<InstructionClaim, 'idl' | 'appended'>>> = {
  kamino_deposit: { idl: 'marginfi@0.1.8.json', appended: [{ name: 'refresh_reserve', type: { option: 'bool' } }] },
};

/** Instructions that the newest published IDL no longer has, or has with other arguments: the last one that does. */
const OLDER: Readonly<Record<string, string>> = {
  // What the local chain of an old program is set up with.
  lending_pool_configure_bank: 'marginfi@0.1.9.json',
  marginfi_group_configure: 'marginfi@0.1.9.json',
  lending_account_withdraw_emissions: 'marginfi@0.1.7.json',
  lending_account_withdraw_emissions_permissionless: 'marginfi@0.1.7.json',
};

/** Arguments that an IDL calls as if they were padding, because the program's own code does not look at them. */
const UNUSED_ARGUMENTS: Readonly<Record<string, Pick<InstructionClaim, 'args'>>> = {
  juplendLiquidityUpdateExchangePrice: { args: [{ name: 'mint', type: 'pubkey' }] },
};

/** The IDLs of the venues' own instructions, by what the names of their exports begin with. All others are the lending program's. */
const VENUE_IDLS: readonly (readonly [exportPrefix: RegExp, idl: string])[] = [
  [/^klend[A-Z]/, 'klend@1.22.0.json'],
  [/^juplendEarn[A-Z]/, 'juplend-lending@0.1.4.json'],
  [/^juplendLiquidity[A-Z]/, 'juplend-liquidity@0.1.5.json'],
  [/^switchboard[A-Z]/, 'switchboard-on-demand@0.1.0.json'],
];

/** Instructions of 0.1.12, of which no IDL is at hand: as the reference lists their accounts. */
const NO_IDL_YET: ReadonlySet<string> = new Set([
  'lending_pool_resize_bank_account',
  'marginfi_account_close_rebalance_order',
  'marginfi_account_end_rebalance',
  'marginfi_account_place_rebalance_order',
  'marginfi_account_settle_rebalance_tip',
  'marginfi_account_start_rebalance',
  'marginfi_account_tag_liq_record',
  'marginfi_account_top_up_rebalance_fee_pool',
  'marginfi_account_update_rebalance_order',
  'marginfi_account_withdraw_rebalance_fee_pool',
]);

/** Every instruction that `@lending/programs` exports, found by its shape: a new one is compared without being listed. */
export const INSTRUCTION_CLAIMS: readonly InstructionClaim[] = Object.entries<unknown>(programs).flatMap(
  ([exported, layout]) => {
    if (!isInstruction(layout) || NO_IDL_YET.has(layout.name)) return [];
    const venueIdl = VENUE_IDLS.find(([prefix]) => prefix.test(exported))?.[1];
    if (venueIdl !== undefined) return [{ layout, idl: venueIdl, ...UNUSED_ARGUMENTS[exported] }];
    return [{ layout, idl: OLDER[layout.name] ?? 'marginfi@0.1.10-rc1.json', ...NEWER[layout.name] }];
  },
);

/** An Anchor program's: Save's instructions begin with one byte, and no IDL has them. */
function isInstruction(value: unknown): value is InstructionLayout {
  if (typeof value !== 'object' || value === null || !('args' in value) || !('discriminator' in value)) return false;
  return (value.discriminator as Uint8Array).length === 8;
}

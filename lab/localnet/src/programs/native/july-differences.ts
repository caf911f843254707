import { bankLayout, type MarginfiAccount, type MarginfiErrorName, marginfiAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { ORACLE_ERRORS } from '../marginfi/risk/health.ts';

/** One difference between what the model and the program did. */
export type Difference =
  | { readonly kind: 'error'; readonly model: string; readonly native: string; readonly isOfOneInstruction: boolean }
  | {
      readonly kind: 'field';
      readonly address: Address;
      readonly path: string;
      readonly was: unknown;
      readonly model: unknown;
      readonly native: unknown;
    }
  | { readonly kind: 'events' | 'account'; readonly what: string };

/** The transaction in which a difference was seen. */
export interface Sent {
  /** Of P0's own instructions, in their order. */
  readonly names: readonly string[];
  /** The name of the instruction that fails in the model; null where none does. */
  readonly failing: string | null;
  readonly unixTimestamp: bigint;
  readonly before: ReadonlyMap<Address, AccountState>;
  /** All accounts that it names. */
  readonly named: ReadonlySet<Address>;
  /** All that was seen in it. */
  readonly differences: readonly Difference[];
}

/** A rule in which the branches of July 2026, of which the stand-in for 0.1.12 is made, differ from later texts. */
interface JulyDifference {
  readonly name: string;
  fits(difference: Difference, sent: Sent): boolean;
}

const RATE_FIELD = /^lendingAccount\.balances\.\w+\.premiumRateSnapshot$/;
const PREMIUM_FIELD = /^lendingAccount\.balances\.\w+\.(premiumRateSnapshot|premiumOutstanding|lastUpdate)$/;
/** What an initial check writes of the collateral. */
const INITIAL_VALUE = /^healthCache\.(assetValue|flags|mrgnErr|internalErr|errIndex|prices\.\d+)$/;
const EMODE_BOOSTED = 8;
const TAG_FIELD = 'liquidationTaggedAt';
const WITHDRAWS = ['lending_account_withdraw', 'lending_account_liquidate'];
/** What ends with an initial check, after which the tag may go. */
const JUDGED = ['lending_account_borrow', ...WITHDRAWS];
const [PAUSED, , REDUCE_ONLY] = [0, 1, 2];

/** `docs/proof.md` lists them by area. */
export const JULY_DIFFERENCES: readonly JulyDifference[] = [
  {
    name: 'end_flashloan asks the circuit breakers',
    fits: (difference, { failing }) =>
      failing === 'lending_account_end_flashloan' &&
      isError(difference, ['CircuitBreakerPriceJump', 'BankCircuitBreakerHalted'], null),
  },
  {
    name: 'a tag asks whether the program is paused, and not for halts',
    fits: (difference, { failing, names }) =>
      (failing === 'marginfi_account_tag_liq_record' && isError(difference, ['ProtocolPaused'], null)) ||
      (names.includes('marginfi_account_tag_liq_record') && isError(difference, null, ['CircuitBreakerAdminOnly'])),
  },
  {
    name: 'an initial check looks whether the tag may go, which a stale price fails',
    fits: (difference, sent) =>
      JUDGED.includes(sent.failing ?? '') && isAnyTagged(sent) && isError(difference, ORACLE_ERRORS, null),
  },
  {
    name: 'the tag goes with health, and begins again after a large part of a debt',
    fits: (difference, { unixTimestamp, names }) =>
      isField(difference, TAG_FIELD) &&
      [...JUDGED, 'end_liquidation', 'lending_account_pulse_health', 'lending_account_repay'].some((name) =>
        names.includes(name),
      ) &&
      difference.was !== 0n &&
      [0n, unixTimestamp, difference.was].includes(difference.model as bigint) &&
      [0n, difference.was].includes(difference.native as bigint),
  },
  {
    name: 'a transfer takes the tag along, and is refused where the account is disabled',
    fits: (difference, { names, failing }) =>
      names.some((name) => name.startsWith('transfer_to_new_account')) &&
      ((isField(difference, TAG_FIELD) && difference.native === 0n) ||
        (failing?.startsWith('transfer_to_new_account') === true && isError(difference, ['AccountDisabled'], null))),
  },
  {
    name: 'a premium that is forgiven loses its rate too',
    fits: (difference) =>
      isField(difference, RATE_FIELD) && difference.model === 0 && difference.native === difference.was,
  },
  {
    name: 'a repayment claims nothing of a deposit',
    fits: (difference, { names, unixTimestamp }) =>
      isField(difference, PREMIUM_FIELD) &&
      difference.path.endsWith('.lastUpdate') &&
      names.includes('lending_account_repay') &&
      difference.model === difference.was &&
      difference.native === unixTimestamp,
  },
  {
    name: 'collateral counts for rates that backs no new debt, and none without maintenance weight',
    fits: (difference, sent) =>
      isAnyBank(
        sent,
        ({ config: { operationalState, assetWeightMaint } }) =>
          [PAUSED, REDUCE_ONLY].includes(operationalState) || assetWeightMaint === 0n,
      ) &&
      ((isField(difference, PREMIUM_FIELD) &&
        // A pass that is whole for one of them alone claims for that one alone.
        (RATE_FIELD.test(difference.path) || [difference.model, difference.native].includes(difference.was))) ||
        isError(difference, ['PremiumSnapshotUnavailable'], null)),
  },
  {
    name: 'without a price rates rise',
    fits: (difference, { names }) =>
      isField(difference, PREMIUM_FIELD) &&
      WITHDRAWS.some((name) => names.includes(name)) &&
      // What came before in the transaction may have set it.
      (difference.native === (difference.was ?? 0) || (names.length > 1 && RATE_FIELD.test(difference.path))) &&
      (difference.model as bigint) > (difference.native as bigint),
  },
  {
    name: 'what a liquidator seizes pays his own premium first',
    fits: ({ kind }, { names, differences }) =>
      kind !== 'error' &&
      names.includes('lending_account_liquidate') &&
      differences.some(
        (one) =>
          isField(one, 'collectedPremiumOutstanding') &&
          one.native === one.was &&
          (one.model as bigint) > (one.was as bigint),
      ),
  },
  {
    name: 'a partial repayment leaves no debt below a share',
    fits: (difference, { failing }) =>
      failing === 'lending_account_repay' && isError(difference, ['IllegalBalanceState'], null),
  },
  {
    name: 'in a receivership health may fall by the premium, no account becomes insolvent, and small accounts have a premium too',
    fits: (difference, { failing, names }) =>
      failing === 'end_liquidation'
        ? isError(difference, ['LiquidationPremiumTooHigh', 'WorseHealthPostLiquidation'], null)
        : names.includes('end_liquidation') && isError(difference, ['null'], ['WorseHealthPostLiquidation']),
  },
  {
    name: 'a maintenance pass says whether emode raises all collateral',
    fits: (difference, { names, differences }) =>
      (difference.kind === 'events' && names.includes('lending_account_pulse_health') && differences.some(isBoosted)) ||
      isBoosted(difference),
  },
  {
    name: 'collateral of a paused bank backs no new debt',
    fits: (difference, sent) =>
      isAnyBank(sent, ({ config }) => config.operationalState === PAUSED) &&
      (isError(difference, ['RiskEngineInitRejected'], null) ||
        isField(difference, INITIAL_VALUE) ||
        // The pulse says in its event what it writes.
        (difference.kind === 'events' && sent.names.includes('lending_account_pulse_health'))),
  },
];

/** The fields of a bank or lending account that differ; null for other accounts, and where no field but bytes between them differ. */
export function compareFields(
  address: Address,
  was: AccountState | undefined,
  model: Uint8Array,
  native: Uint8Array,
): readonly Difference[] | null {
  const layout = [marginfiAccountLayout, bankLayout].find(({ discriminator }) =>
    [model, native].every((data) => Buffer.compare(data.subarray(0, 8), discriminator) === 0),
  );
  if (layout === undefined || model.length !== native.length) return null;
  const read = (data: Uint8Array): Fields => flatten(byBank(layout.decode(Uint8Array.from(data))));
  // A new account has no earlier values.
  const old: Fields = was === undefined || was.data.length !== model.length ? new Map() : read(was.data);
  const [ours, theirs] = [read(model), read(native)];
  const found = [...ours].flatMap(([path, value]) => {
    const other = theirs.get(path);
    return value === other
      ? []
      : [{ kind: 'field' as const, address, path, was: old.get(path), model: value, native: other }];
  });
  return found.length === 0 ? null : found;
}

/** The balances by their banks: a balance keeps its name when others are added or closed before it. */
function byBank(decoded: object): object {
  if (!('lendingAccount' in decoded)) return decoded;
  const { lendingAccount, ...rest } = decoded as MarginfiAccount;
  const balances = lendingAccount.balances.map((balance, place) => [
    balance.active === 0 ? `none${place}` : balance.bankPk,
    { ...balance, place },
  ]);
  return { ...rest, lendingAccount: { ...lendingAccount, balances: Object.fromEntries(balances) } };
}

type Fields = ReadonlyMap<string, unknown>;

function flatten(value: unknown, path = ''): Fields {
  if (value instanceof Uint8Array) return new Map([[path, Buffer.from(value).toString('hex')]]);
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...flatten(part, path === '' ? name : `${path}.${name}`)]),
  );
}

function isField(difference: Difference, path: string | RegExp): difference is Difference & { readonly kind: 'field' } {
  if (difference.kind !== 'field') return false;
  return typeof path === 'string' ? difference.path === path : path.test(difference.path);
}

/** @param model, native the errors that it may be; null for any, and none. */
function isError(
  difference: Difference,
  model: Iterable<string> | null,
  native: readonly MarginfiErrorName[] | null,
): boolean {
  return (
    difference.kind === 'error' &&
    (model === null || [...model].includes(difference.model)) &&
    (native === null || native.some((name) => name === difference.native))
  );
}

function isBoosted(difference: Difference): boolean {
  return isField(difference, 'healthCache.flags') && difference.model === Number(difference.native) + EMODE_BOOSTED;
}

function isAnyTagged(sent: Sent): boolean {
  return accountsOf(sent, marginfiAccountLayout).some(({ liquidationTaggedAt }) => liquidationTaggedAt !== 0n);
}

function isAnyBank(sent: Sent, isMeant: (bank: ReturnType<typeof bankLayout.decode>) => boolean): boolean {
  return accountsOf(sent, bankLayout).some(isMeant);
}

function accountsOf<T>(
  { before, named }: Sent,
  layout: { readonly discriminator: Uint8Array; decode(data: Uint8Array): T },
): readonly T[] {
  return [...named].flatMap((address) => {
    const data = before.get(address)?.data;
    const isOne = data !== undefined && Buffer.compare(data.subarray(0, 8), layout.discriminator) === 0;
    return isOne ? [layout.decode(Uint8Array.from(data))] : [];
  });
}

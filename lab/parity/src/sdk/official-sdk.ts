import { Program } from '@coral-xyz/anchor';
import { MARGINFI_PROGRAM } from '@lending/programs';
import type { AccountBytes } from '@lending/venues';
import {
  Bank,
  type BankRaw,
  type BankType,
  computeHealthComponentsLegacy,
  type EmodePair,
  EmodeTag,
  fetchMarginfiAccountData,
  MARGINFI_IDL,
  MarginfiAccount,
  type MarginfiAccountRaw,
  MarginRequirementType,
  type OraclePrice,
  parsePriceInfo,
} from '@mrgnlabs/marginfi-client-v2';
import { PublicKey } from '@solana/web3.js';

/** Anchor's coder with the IDL that the SDK ships, put together as the SDK's client does it. */
const program = new Program({ ...MARGINFI_IDL, address: MARGINFI_PROGRAM } as never, {} as never);

export function sdkBankRaw(data: Uint8Array): BankRaw {
  return program.coder.accounts.decode('bank', Buffer.from(data));
}

export function sdkAccountRaw(data: Uint8Array): MarginfiAccountRaw {
  return program.coder.accounts.decode('marginfiAccount', Buffer.from(data));
}

export function sdkBank({ address, data }: AccountBytes): Bank {
  return Bank.fromAccountParsed(new PublicKey(address), sdkBankRaw(data));
}

export function sdkAccount({ address, data }: AccountBytes): MarginfiAccount {
  return MarginfiAccount.fromAccountParsed(new PublicKey(address), sdkAccountRaw(data));
}

export function sdkPrice(bank: Bank, feed: AccountBytes | null): OraclePrice {
  return parsePriceInfo(bank.config.oracleSetup, Buffer.from(feed?.data ?? []), bank.config.fixedPrice);
}

/** What the SDK needs to know of a bank. */
export interface SdkMarketBank {
  readonly theirs: Bank;
  readonly theirPrice: OraclePrice;
}

/** An account as the SDK's client holds it, with the banks whose weights it raised on the way. */
export interface SdkPortfolio {
  readonly account: MarginfiAccount;
  readonly banks: Map<string, Bank>;
  readonly prices: Map<string, OraclePrice>;
  readonly pairs: readonly EmodePair[];
}

/**
 * The SDK's own way from an account to its health: `fetchMarginfiAccountData` finds the active e-mode pairs, raises the weights, and
 * has the chain pulse the account. There is no chain here, so it falls back to its own arithmetic, which is what we measure.
 */
export async function sdkPortfolio(
  account: AccountBytes,
  market: ReadonlyMap<string, SdkMarketBank>,
): Promise<SdkPortfolio> {
  // Copies, because the SDK writes the weights into the banks it is given.
  const banks = new Map([...market].map(([address, { theirs }]) => [address, Bank.fromBankType(theirs as BankType)]));
  const prices = new Map([...market].map(([address, { theirPrice }]) => [address, theirPrice]));
  const pairs = emodePairs([...banks.values()]);
  const withoutChain = {
    account: { marginfiAccount: { fetch: async () => sdkAccountRaw(account.data) } },
    provider: { connection: { getLatestBlockhash: () => Promise.reject(new Error('there is no chain')) } },
  };
  const address = new PublicKey(account.address);
  const fetched = await fetchMarginfiAccountData(withoutChain as never, address, banks, prices, {}, pairs);
  return { account: fetched.marginfiAccount as MarginfiAccount, banks, prices, pairs };
}

/** Every favour a bank grants, in the shape the SDK asks for. It leaves making the list to its callers. */
export function emodePairs(banks: readonly Bank[]): EmodePair[] {
  return banks
    .filter((bank) => bank.emode.emodeTag !== EmodeTag.UNSET)
    .flatMap((bank) =>
      bank.emode.emodeEntries.map((entry) => ({
        collateralBanks: banks
          .filter((other) => other.emode.emodeTag === entry.collateralBankEmodeTag)
          .map((other) => other.address),
        collateralBankTag: entry.collateralBankEmodeTag,
        liabilityBank: bank.address,
        liabilityBankTag: bank.emode.emodeTag,
        assetWeightInit: entry.assetWeightInit,
        assetWeightMaint: entry.assetWeightMaint,
      })),
    );
}

/** Assets and liabilities at maintenance, from bytes: what the SDK does for an account whose banks and prices it has. */
export function sdkMaintenance(account: AccountBytes, banks: Map<string, Bank>, prices: Map<string, OraclePrice>) {
  const { activeBalances } = sdkAccount(account);
  return computeHealthComponentsLegacy(
    activeBalances,
    banks as Map<string, BankType>,
    prices,
    MarginRequirementType.Maintenance,
  );
}

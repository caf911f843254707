import type { AccountBatch } from '@lending/chain';
import { BANK_FLAG, I80F48_ONE, integerToI80F48, type PremiumPair } from '@lending/domain';
import {
  CLOCK_SYSVAR,
  clockLayout,
  findAssociatedTokenAccount,
  MARGINFI_PROGRAM,
  type MarginfiAccount,
  type MarginfiGroup,
  MINT_EXTENSION,
  marginfiGroupLayout,
  NEWEST_VERSION,
  NO_KEY,
  PYTH_RECEIVER_PROGRAM,
  RENT_SYSVAR,
  releaseOf,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_PROGRAM,
  TOKEN_PROGRAM,
  transferFeeConfigLayout,
} from '@lending/programs';
import {
  type MadeBalance as Balance,
  type BankFields,
  bankBytes,
  bytesOf,
  lendingAccountBytes,
  madeAddress,
  mintBytes,
  oracleKeys,
  priceUpdateBytes,
  pullFeedBytes,
  tokenAccountBytes,
  zeroOf,
} from '@lending/programs/testing/made-accounts.ts';
import type { Address } from '@solana/kit';
import type { AccountFetcher } from '#live/fetch-until-closed.ts';

/** An account as tests make it. */
export interface MadeAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly lamports: bigint;
}

export type MadeBalance = Balance & { readonly bankPk: Address };
export { type BankFields, madeAddress };

export const NOW = 1_777_000_000n;
/** What an account costs per byte on mainnet. */
export const LAMPORTS_PER_BYTE = 6_960n;
export const GROUP: Address = madeAddress(1);
export const WALLET: Address = madeAddress(2);
export const ACCOUNT: Address = madeAddress(3);
const [BANKS, MINTS, VAULTS, FEEDS] = [1_000, 2_000, 3_000, 4_000];
const SWITCHBOARD_SETUP = 4;

export const bankAddress = (nth: number) => madeAddress(BANKS + nth);
export const mintAddress = (nth: number) => madeAddress(MINTS + nth);
export const feedAddress = (nth: number) => madeAddress(FEEDS + nth);

/** A market in memory: a group, its clock, a wallet with ten SOL; banks, accounts and tokens as they are put in. */
export function createMadeMarket() {
  const accounts = new Map<Address, MadeAccount>();
  const asked: (readonly Address[])[] = [];
  const put = (address: Address, account: Omit<MadeAccount, 'lamports'> & { readonly lamports?: bigint }) => {
    accounts.set(address, { lamports: 1n, ...account });
  };
  let slot = 500n;
  const chain: AccountFetcher = {
    async fetchAccounts(addresses): Promise<readonly AccountBatch[]> {
      asked.push(addresses);
      slot += 1n;
      return [
        {
          slot,
          addresses,
          accounts: addresses.map((address) => {
            const found = accounts.get(address);
            return found === undefined ? null : { address, slot, ...found };
          }),
        },
      ];
    },
  };
  const market = {
    accounts,
    /** Addresses of each wave. */
    asked,
    chain,
    put,
    setGroup(change: (group: MarginfiGroup) => MarginfiGroup = (group) => group) {
      put(GROUP, { owner: MARGINFI_PROGRAM, data: bytesOf(marginfiGroupLayout, change(zeroOf(marginfiGroupLayout))) });
    },
    /** What the group charges on debts in banks that do, by what stands behind them. */
    setPremiums(pairs: readonly PremiumPair[]) {
      market.setGroup((group) => ({
        ...group,
        premiumSettings: { ...group.premiumSettings, entryCount: pairs.length },
        premiumEntries: group.premiumEntries.map((none, index) => pairs[index] ?? none),
      }));
    },
    setClock(unixTimestamp: bigint) {
      const clock = { slot, epochStartTimestamp: NOW - 3_600n, epoch: 900n, leaderScheduleEpoch: 901n, unixTimestamp };
      put(CLOCK_SYSVAR, { owner: SYSVAR_PROGRAM, data: bytesOf(clockLayout, clock) });
    },
    setLamports(lamports: bigint, wallet: Address = WALLET) {
      put(wallet, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports });
    },
    /** A bank of 1,000,000 deposited and 400,000 lent tokens of six decimals, its vault holding the rest, priced at a dollar. */
    setBank(nth: number, { config, ...fields }: BankFields = {}, made: MadeBankParts = {}) {
      const { mint = mintAddress(nth), vaultBase = 600_000_000_000n, priceUsdE8 = 100_000_000n } = made;
      const setup = config?.oracleSetup ?? 3;
      const bank: BankFields = {
        ...{ group: GROUP, mint, lastUpdate: NOW, liquidityVault: madeAddress(VAULTS + nth) },
        totalAssetShares: integerToI80F48(1_000_000_000_000n),
        totalLiabilityShares: integerToI80F48(400_000_000_000n),
        ...fields,
        config: {
          ...{ oracleSetup: setup, oracleMaxAge: 60, oracleKeys: oracleKeys(feedAddress(nth)) },
          ...{ depositLimit: 2n ** 64n - 1n, borrowLimit: 2n ** 64n - 1n },
          assetWeightInit: (I80F48_ONE * 3n) / 4n,
          assetWeightMaint: (I80F48_ONE * 7n) / 8n,
          liabilityWeightInit: (I80F48_ONE * 5n) / 4n,
          liabilityWeightMaint: (I80F48_ONE * 9n) / 8n,
          ...config,
        },
      };
      // As long as today's version makes it.
      const data = bankBytes(bank, releaseOf(NEWEST_VERSION).sizes.bank);
      put(bankAddress(nth), { owner: MARGINFI_PROGRAM, data });
      put(madeAddress(VAULTS + nth), tokenContent(mint, NO_KEY, vaultBase, made.tokenProgram));
      market.setMint(mint, made);
      if (setup === SWITCHBOARD_SETUP) market.setSwitchboard(nth, priceUsdE8);
      else market.setPyth(nth, priceUsdE8);
    },
    setMint(mint: Address, { tokenProgram = TOKEN_PROGRAM, feeBasisPoints = 0, decimals = 6 }: MadeBankParts = {}) {
      put(mint, {
        owner: tokenProgram,
        data: feeBasisPoints === 0 ? mintBytes({ decimals }) : mintWithFee(decimals, feeBasisPoints),
      });
    },
    setPyth(nth: number, priceUsdE8: bigint, publishTime = NOW) {
      const data = priceUpdateBytes(publishTime, { price: priceUsdE8 });
      put(feedAddress(nth), { owner: PYTH_RECEIVER_PROGRAM, data });
    },
    setSwitchboard(nth: number, priceUsdE8: bigint, lastUpdateTimestamp = NOW) {
      const data = pullFeedBytes(lastUpdateTimestamp, { value: priceUsdE8 * 10n ** 10n });
      put(feedAddress(nth), { owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data });
    },
    setAccount(balances: readonly MadeBalance[], fields: Partial<MarginfiAccount> = {}, address: Address = ACCOUNT) {
      const data = lendingAccountBytes({ ...balances }, { group: GROUP, authority: WALLET, ...fields });
      put(address, { owner: MARGINFI_PROGRAM, data });
    },
    async setTokens(
      mint: Address,
      amount: bigint,
      made: { tokenProgram?: Address; state?: number; owner?: Address } = {},
    ) {
      const [address] = await findAssociatedTokenAccount(WALLET, mint, made.tokenProgram);
      put(address, tokenContent(mint, made.owner ?? WALLET, amount, made.tokenProgram, made.state));
    },
  };
  market.setGroup();
  market.setClock(NOW);
  market.setLamports(10_000_000_000n);
  put(RENT_SYSVAR, { owner: SYSVAR_PROGRAM, data: rentBytes() });
  return market;
}

export type MadeMarket = ReturnType<typeof createMadeMarket>;

/** What stands around a made bank. */
export interface MadeBankParts {
  readonly mint?: Address;
  readonly vaultBase?: bigint;
  readonly priceUsdE8?: bigint;
  readonly tokenProgram?: Address;
  readonly feeBasisPoints?: number;
  readonly decimals?: number;
}

/** A tag of a bank as collateral, one as debt, and 10 % a year on debts of the second for collateral of the first. */
export const [DEAR, CHARGED] = [7, 9];
export const TEN_PERCENT: PremiumPair = { collateralTag: DEAR, liabilityTag: CHARGED, rate: 42_949_672 };

/** A bank whose debts bear a premium. */
export const charging: BankFields = { flags: BANK_FLAG.chargesPremium, premiumTag: CHARGED };

export function deposit(nth: number, amountBase: bigint, fields: Partial<MadeBalance> = {}): MadeBalance {
  return { bankPk: bankAddress(nth), assetShares: integerToI80F48(amountBase), ...fields };
}

export function debt(nth: number, amountBase: bigint, fields: Partial<MadeBalance> = {}): MadeBalance {
  return { bankPk: bankAddress(nth), liabilityShares: integerToI80F48(amountBase), ...fields };
}

function tokenContent(mint: Address, owner: Address, amount: bigint, tokenProgram = TOKEN_PROGRAM, state = 1) {
  return { owner: tokenProgram, data: tokenAccountBytes({ mint, owner, amount, state }) };
}

function mintWithFee(decimals: number, transferFeeBasisPoints: number): Uint8Array {
  const fee = { epoch: 0n, maximumFee: 10n ** 12n, transferFeeBasisPoints };
  const none = { transferFeeConfigAuthority: NO_KEY, withdrawWithheldAuthority: NO_KEY, withheldAmount: 0n };
  const extension = transferFeeConfigLayout.encode({ ...none, olderTransferFee: fee, newerTransferFee: fee });
  const data = new Uint8Array(166 + 4 + extension.length);
  data.set(mintBytes({ decimals }));
  data[165] = 1;
  new DataView(data.buffer).setUint16(166, MINT_EXTENSION.transferFeeConfig, true);
  new DataView(data.buffer).setUint16(168, extension.length, true);
  data.set(extension, 170);
  return data;
}

/** Lamports a byte and year, years that are paid for, and a share that is burnt. */
function rentBytes(): Uint8Array {
  const data = new Uint8Array(17);
  const view = new DataView(data.buffer);
  view.setBigUint64(0, LAMPORTS_PER_BYTE / 2n, true);
  view.setFloat64(8, 2, true);
  return data;
}

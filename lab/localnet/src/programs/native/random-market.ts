import { ASSET_TAG, BANK_FLAG, smallerOf } from '@lending/domain';
import {
  type AccountsOf,
  BANK_OPERATIONAL_STATES,
  type Bank,
  bankLayout,
  COMPUTE_BUDGET_PROGRAM,
  encodeInstruction,
  endLiquidation,
  feeStateLayout,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  type InstructionLayout,
  isSince,
  juplendLendingLayout,
  klendReserveLayout,
  lendingPoolAccrueBankInterest,
  lendingPoolHandleBankruptcy,
  lendingPoolPulseBankPriceCache,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  type MarginfiGroup,
  marginfiAccountInitializePda,
  marginfiAccountInitLiqRecord,
  marginfiAccountLayout,
  marginfiAccountTagLiqRecord,
  marginfiGroupLayout,
  type ProgramVersion,
  propagateFeeState,
  SYSTEM_PROGRAM,
  startLiquidation,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import type { Dice } from '#actors/dice.ts';
import { LIVE_RESERVES, worthOf } from '#actors/population.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import { addressOf } from '#engine/testing-transactions.ts';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';
import * as act from '#market/lending-instructions.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { VENUE_BANKS } from '#market/venue-banks.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import { MarketChain, type Party } from '../marginfi/testing/market-chain.ts';
import { pick, spoil, withPrivileges } from './spoil.ts';

/** What a party sends, and who pays for it. */
export interface RandomTransaction {
  readonly payer: Address;
  readonly instructions: readonly Required<Instruction>[];
}

type HealthChange = NonNullable<Parameters<MarketChain['healthAccounts']>[1]>;
type Account = ReturnType<MarketChain['marginfiAccount']>;
type Balance = Account['lendingAccount']['balances'][number];
type Side = 'assetShares' | 'liabilityShares';

const PARTIES = 5;
/** Of 100 transactions, how many are spoilt in one place. */
const SPOILT = 20;
/** Base units of each token that everybody begins with are worth so many USD. */
const PURSE_USD = 3_000_000n;
const FEEDS = Object.keys(DEMO_FEEDS) as DemoFeedName[];
/** Banks on other venues that take deposits on the demo market. */
const VENUES = VENUE_BANKS.filter(
  ({ state, venueAccount, oracleSetup }) =>
    state === 'Operational' && LIVE_RESERVES.some(({ address }) => address === venueAccount) && oracleSetup !== 'Fixed',
);
const TOKENS = [...new Set([...P0_BANKS, ...VENUES].map(({ token }) => token))];
/** As often as each is wanted. */
const LENDING = [
  'deposit',
  'deposit',
  'borrow',
  'borrow',
  'withdraw',
  'withdraw all',
  'close',
  'repay',
  'repay',
  'repay all',
] as const;
/** The side that it acts on, where it takes one that is there. */
const SIDES = {
  deposit: null,
  borrow: null,
  withdraw: 'assetShares',
  'withdraw all': 'assetShares',
  close: 'assetShares',
  repay: 'liabilityShares',
  'repay all': 'liabilityShares',
} as const;
const INSTEAD = { assetShares: 'deposit', liabilityShares: 'borrow' } as const;
const PREMIUM_TAGS = 4;
/** 100 %, the most that the program takes. */
const MOST_PREMIUM = 429_496_730;
const encoder = new TextEncoder();

/**
 * The demo market with five people who do everything that P0's own instructions allow, and much that they do not, in amounts from dust to
 * millions. Everything is chosen by dice, so that a seed gives the same market again.
 */
export class RandomMarket {
  readonly chain: MarketChain;
  readonly #parties: readonly Party[];
  readonly #version: ProgramVersion;
  readonly #strangers: readonly Address[];
  #opened = 0;

  private constructor(chain: MarketChain, parties: readonly Party[], version: ProgramVersion) {
    this.chain = chain;
    this.#parties = parties;
    this.#version = version;
    this.#strangers = [
      ...parties.flatMap(({ wallet, account }) => [wallet, account]),
      ...TOKENS.map((name) => DEMO_TOKENS[name].mint),
      ...P0_BANKS.map(({ address }) => address),
    ];
  }

  static async open(version: ProgramVersion, dice: Dice): Promise<RandomMarket> {
    const chain = await MarketChain.open(version);
    const purse = Object.fromEntries(TOKENS.map((name) => [name, worthOf(name, PURSE_USD)]));
    const parties: Party[] = [];
    for (let count = 0; count < PARTIES; count += 1) parties.push(await chain.addParty(purse));
    const market = new RandomMarket(chain, parties, version);
    for (const name of FEEDS) market.#setPrice(dice, name);
    for (const { address } of P0_BANKS) {
      if (dice.roll(3) === 0) chain.rewrite(bankLayout, address, (value) => watched(dice, value));
    }
    market.#favourSameAssets(dice);
    if (isSince(version, '0.1.12')) market.#chargePremiums(dice);
    for (const party of parties) market.#settle(dice, party);
    return market;
  }

  /** Lends in some banks, at times one on another venue, and borrows to the edge: a price that moves can then make one liquidatable. */
  #settle(dice: Dice, party: Party): void {
    const send = (...instructions: readonly Instruction[]) =>
      this.chain.send(party.wallet, UNIT_LIMIT, ...instructions);
    send(act.initializeAccount(party));
    const usd = () => BigInt(1_000 + dice.roll(500_000));
    // Not all: nothing refreshes venues within a transaction, and with one that is stale little goes on.
    const row = dice.roll(2) === 0 ? pick(dice, VENUES) : null;
    const same = P0_BANKS.filter(({ token }) => token === row?.token).map(({ address }) => this.chain.bankAt(address));
    // Who lends an asset through a venue alone, and owes in it alone, is favoured for that.
    const isOneAsset = same.length > 0 && dice.roll(2) === 0;
    for (let count = 0; count < 4 && !isOneAsset; count += 1) {
      const bank = this.#bank(dice);
      send(act.deposit(party, bank, worthOf(tokenNameOf(bank), usd())));
    }
    if (row !== null) {
      const venueBank = this.chain.bankAt(row.address);
      const read = (address: Address) => this.chain.data(address);
      send(...venueInstructionsOf(venueBank).deposit(party, venueBank, worthOf(row.token, usd()), read));
    }
    for (const bank of isOneAsset ? same : [this.#bank(dice), this.#bank(dice)]) {
      const list = this.chain.healthAccounts(party.account, { with: [bank.address] });
      let amount = worthOf(tokenNameOf(bank), 1_000_000n);
      while (amount > 0n && send(act.borrow(party, bank, amount, list)).error !== null) amount /= 2n;
    }
  }

  /** A market that goes its own way from here. */
  fork(): RandomMarket {
    return new RandomMarket(this.chain.fork(), this.#parties, this.#version);
  }

  /** What happens without a transaction: time passes, prices move, administrators change their minds. */
  stir(dice: Dice): void {
    const what = dice.roll(20);
    if (what < 5) this.#setPrice(dice, pick(dice, FEEDS));
    else if (what < 9) {
      this.chain.wait(pick(dice, [1n, 40n, 3_600n, 86_400n, 864_000n, 40_000_000n]), { publishes: false });
      if (dice.roll(8) > 0) {
        for (const name of FEEDS) this.#setPrice(dice, name);
        this.#refreshVenues();
      }
    } else if (what < 11 && isSince(this.#version, '0.1.12')) this.#editPremium(dice);
    else if (what < 16) this.#editBank(dice);
    else if (what < 19) this.#editGroup(dice);
    else this.#flagAccount(dice);
  }

  /** Most banks are eligible, to any leverage. */
  #favourSameAssets(dice: Dice): void {
    this.chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (value) => withLeverages(dice, value));
    for (const { address } of [...P0_BANKS, ...VENUES]) {
      if (dice.roll(5) === 0) continue;
      this.chain.rewrite(bankLayout, address, (value) => ({
        ...value,
        flags: value.flags | BANK_FLAG.isSameAssetEligible,
      }));
    }
  }

  /** Most banks have a tag, most of P0's own charge a premium, and most pairs of tags have a rate. */
  #chargePremiums(dice: Dice): void {
    this.chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (value) => withPremiums(dice, value));
    for (const { address } of [...P0_BANKS, ...VENUES]) this.chain.rewrite(bankLayout, address, this.#charging(dice));
  }

  #charging(dice: Dice): (bank: Bank) => Bank {
    const since = this.chain.context.unixTimestamp - BigInt(dice.roll(100_000));
    const isActive = dice.roll(4) > 0;
    return (bank) => ({
      ...bank,
      premiumTag: dice.roll(PREMIUM_TAGS + 1),
      premiumActivatedAt: since,
      flags: isActive ? bank.flags | BANK_FLAG.chargesPremium : bank.flags & ~BANK_FLAG.chargesPremium,
    });
  }

  /** Moves the time of the venues' accounts alone, as a refresh in the same slot would: what is lent there then has a price. */
  #refreshVenues(): void {
    const { slot, unixTimestamp } = this.chain.context;
    for (const { assetTag, venueAccount } of VENUES) {
      if (venueAccount === undefined) continue;
      if (assetTag === ASSET_TAG.kamino) {
        this.chain.rewrite(klendReserveLayout, venueAccount, (value) => ({
          ...value,
          lastUpdate: { ...value.lastUpdate, slot },
        }));
      } else if (assetTag === ASSET_TAG.juplend) {
        this.chain.rewrite(juplendLendingLayout, venueAccount, (value) => ({
          ...value,
          lastUpdateTimestamp: unixTimestamp,
        }));
      }
    }
  }

  #setPrice(dice: Dice, name: DemoFeedName): void {
    const ppm = dice.roll(8) === 0 ? 500_000 + dice.roll(1_500_000) : 950_000 + dice.roll(100_000);
    this.chain.setPrice(name, BigInt(ppm), BigInt(dice.roll(40_000)));
  }

  /** The next transaction of a party; one in five is spoilt in one place. */
  next(dice: Dice): RandomTransaction {
    const party = pick(dice, this.#parties);
    const instructions = [UNIT_LIMIT, ...this.#act(dice, party)].map(
      ({ accounts = [], data = new Uint8Array(), programAddress }) => ({
        programAddress,
        accounts,
        data,
      }),
    );
    const spoilt = dice.roll(100) < SPOILT ? spoil(dice, instructions, this.#strangers) : instructions;
    return { payer: party.wallet, instructions: withPrivileges(party.wallet, spoilt) };
  }

  #act(dice: Dice, party: Party): readonly Instruction[] {
    switch (dice.roll(20)) {
      case 0:
        return this.#flashLoan(dice, party);
      case 1:
        return dice.roll(2) === 0 ? this.#loop(dice, party) : this.#unwind(dice, party);
      case 2:
      case 3:
        return [this.#liquidate(dice, party)];
      case 4:
        return this.#receivership(dice, party);
      case 5:
        return [act.pulseHealth(party.account, this.#health(dice, party))];
      case 6:
        return [this.#poolInstruction(dice)];
      case 7:
        return [this.#bankruptcy(dice, party)];
      case 8:
        return [this.#accountInstruction(dice, party)];
      case 9:
        return [isSince(this.#version, '0.1.12') ? this.#tag(dice, party) : this.#lend(dice, party)];
      default:
        return Array.from({ length: 1 + dice.roll(2) }, () => this.#lend(dice, party));
    }
  }

  /** What a party does in one bank: who has nothing to withdraw deposits, and who owes nothing borrows. */
  #lend(dice: Dice, party: Party): Instruction {
    const wanted = pick(dice, LENDING);
    const side = SIDES[wanted];
    const found = side === null ? null : this.#bankOf(dice, party, side);
    const bank = found ?? this.#bank(dice);
    const amount = this.#amount(dice, bank);
    switch (side === null || found !== null ? wanted : INSTEAD[side]) {
      case 'deposit':
        return act.deposit(party, bank, amount, pick(dice, [null, false, true]));
      case 'borrow':
        return act.borrow(party, bank, amount, this.#health(dice, party, { with: [bank.address] }));
      case 'withdraw':
        return act.withdraw(party, bank, amount, this.#health(dice, party));
      case 'withdraw all':
        return act.withdraw(party, bank, 'all', this.#health(dice, party, { without: [bank.address] }));
      case 'close':
        return act.closeBalance(party, this.chain.bankAt(pick(dice, [bank.address, ...this.#held(party)])));
      case 'repay':
        return act.repay(party, bank, dice.roll(8) === 0 ? this.#amountIn(party, bank, 'liabilityShares') : amount);
      case 'repay all':
        return act.repay(party, bank, 'all');
    }
  }

  #flashLoan(dice: Dice, party: Party): readonly Instruction[] {
    const inner = Array.from({ length: dice.roll(4) }, () => this.#lend(dice, party));
    // The limit of units comes before.
    const end = BigInt(inner.length + (dice.roll(10) === 0 ? dice.roll(4) : 2));
    const list = this.#health(dice, party, { with: inner.slice(0, 1).flatMap(borrowedBank) });
    return [act.startFlashLoan(party, end), ...inner, act.endFlashLoan(party, list)];
  }

  /** Borrows, lends the loan in another token, of which the wallet holds some: a loop whose swap has happened before. */
  #loop(dice: Dice, party: Party): readonly Instruction[] {
    const [asset, debt] = [this.#bank(dice), this.#bank(dice)];
    const usd = 10n ** BigInt(dice.roll(6));
    const [lent, borrowed] = [asset, debt].map((bank) => worthOf(tokenNameOf(bank), usd)) as [bigint, bigint];
    const list = this.#list(party, { with: [asset.address, debt.address] });
    const inner = [act.deposit(party, asset, lent), act.borrow(party, debt, borrowed / 2n, list)];
    return [act.startFlashLoan(party, 4n), ...inner, act.endFlashLoan(party, list)];
  }

  /** Takes out all of one token and repays all of another, each with the full list for what is left. */
  #unwind(dice: Dice, party: Party): readonly Instruction[] {
    const asset = this.#bankOf(dice, party, 'assetShares') ?? this.#bank(dice);
    const debt = this.#bankOf(dice, party, 'liabilityShares') ?? this.#bank(dice);
    const [asWithdrawn, asClosed] = [[asset.address], [asset.address, debt.address]].map((without) =>
      this.#list(party, { without }),
    ) as [readonly Address[], readonly Address[]];
    const inner = [act.withdraw(party, asset, 'all', asWithdrawn), act.repay(party, debt, 'all')];
    return [act.startFlashLoan(party, 4n), ...inner, act.endFlashLoan(party, asClosed)];
  }

  #liquidate(dice: Dice, party: Party): Instruction {
    const victim = this.#victim(dice, party);
    // What is seized where the liquidator owes pays his debt.
    const owed = this.#banksWith(party, 'liabilityShares');
    const paying = this.#banksWith(victim, 'assetShares').filter((bank) => owed.includes(bank));
    const pays = paying.length > 0 && dice.roll(2) === 0;
    const asset = pays
      ? this.chain.bankAt(pick(dice, paying))
      : (this.#bankOf(dice, victim, 'assetShares') ?? this.#bank(dice));
    const liability = this.#bankOf(dice, victim, 'liabilityShares') ?? this.#bank(dice);
    const lists = {
      oracles: [...oracleAccountsOf(asset), ...oracleAccountsOf(liability)],
      liquidator: this.#health(dice, party, { with: [asset.address, liability.address] }),
      liquidatee: this.#health(dice, victim),
    };
    // A part of what there is, so that most of what may be seized is not refused as too much.
    const amount =
      dice.roll(4) === 0
        ? this.#amount(dice, asset)
        : dice.portion(this.#amountIn(victim, asset, 'assetShares'), 1, 30);
    return act.liquidate(party, victim.account, { asset, liability }, amount, lists);
  }

  #receivership(dice: Dice, party: Party): readonly Instruction[] {
    const victim = this.#victim(dice, party);
    const seeds = [encoder.encode('liq_record'), getAddressBytes(victim.account)];
    const liquidationRecord = findProgramAddress(seeds, MARGINFI_PROGRAM).address;
    const liquidated = { marginfiAccount: victim.account, liquidationRecord, group: MARGINFI_MAIN_GROUP };
    const held = this.#held(victim);
    const writableBanks = (list: readonly Address[]) =>
      list.map((address) => ({ address, role: held.includes(address) ? AccountRole.WRITABLE : AccountRole.READONLY }));
    const holder = { wallet: party.wallet, account: victim.account };
    const payer = { feePayer: party.wallet, systemProgram: SYSTEM_PROGRAM };
    const inner = Array.from({ length: dice.roll(3) }, () => {
      const isWithdrawal = dice.roll(2) === 0;
      const side = isWithdrawal ? 'assetShares' : 'liabilityShares';
      const bank = this.#bankOf(dice, victim, side) ?? this.#bank(dice);
      const amount = this.#amount(dice, bank);
      return isWithdrawal
        ? act.withdraw(holder, bank, amount, this.#health(dice, victim))
        : act.repay(holder, bank, amount);
    });
    const open = this.#p0(marginfiAccountInitLiqRecord, { ...liquidated, ...payer }, {});
    const start = this.#p0(
      startLiquidation,
      { ...liquidated, liquidationReceiver: party.wallet, instructionSysvar: INSTRUCTIONS_SYSVAR },
      {},
      writableBanks(this.#health(dice, victim)),
    );
    const end = this.#p0(
      endLiquidation,
      {
        ...liquidated,
        liquidationReceiver: party.wallet,
        feeState: act.FEE_STATE_ADDRESS,
        globalFeeWallet: this.#feeWallet(),
        systemProgram: SYSTEM_PROGRAM,
        feePayer: dice.roll(2) === 0 ? null : party.wallet,
      },
      {},
      writableBanks(held.toSorted((one, other) => Buffer.compare(getAddressBytes(other), getAddressBytes(one)))),
    );
    const body = [start, ...inner, ...(dice.roll(12) === 0 ? [] : [end])];
    return this.chain.accounts.has(liquidationRecord) && dice.roll(10) > 0 ? body : [open, ...body];
  }

  /** Another party, more often than not one that can be liquidated. */
  #victim(dice: Dice, party: Party): Party {
    const victim = pick(dice, dice.roll(20) === 0 ? [party] : this.#parties.filter((one) => one !== party));
    if (dice.roll(3) > 0) this.#weaken(victim, pick(dice, [60n, 80n, 85n, 90n, 95n]));
    return victim;
  }

  #tag(dice: Dice, party: Party): Instruction {
    const victim = this.#victim(dice, party);
    const accounts = { marginfiAccount: victim.account, group: MARGINFI_MAIN_GROUP };
    return this.#p0(marginfiAccountTagLiqRecord, accounts, {}, readonly(this.#health(dice, victim)));
  }

  #poolInstruction(dice: Dice): Instruction {
    const bank = this.#bank(dice);
    const accounts = { group: MARGINFI_MAIN_GROUP, bank: bank.address };
    switch (dice.roll(3)) {
      case 0:
        return this.#p0(lendingPoolAccrueBankInterest, accounts, {});
      case 1:
        return this.#p0(lendingPoolPulseBankPriceCache, accounts, {}, readonly(oracleAccountsOf(bank)));
      default:
        return this.#p0(propagateFeeState, { feeState: act.FEE_STATE_ADDRESS, marginfiGroup: MARGINFI_MAIN_GROUP }, {});
    }
  }

  #bankruptcy(dice: Dice, party: Party): Instruction {
    const victim = pick(dice, this.#parties);
    if (dice.roll(4) === 0) {
      this.#weaken(victim, 0n);
      this.chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (value) => ({ ...value, riskAdmin: party.wallet }));
    }
    const bank = this.#bankOf(dice, victim, 'liabilityShares') ?? this.#bank(dice);
    const isToken2022 = act.tokenOf(bank).tokenProgram === 'token_2022';
    const accounts = {
      group: MARGINFI_MAIN_GROUP,
      signer: party.wallet,
      bank: bank.address,
      marginfiAccount: victim.account,
      liquidityVault: bank.liquidityVault,
      insuranceVault: bank.insuranceVault,
      insuranceVaultAuthority: act.vaultAuthorityOf('insurance', bank),
      tokenProgram: isToken2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
    };
    const list = [...(isToken2022 ? [bank.mint] : []), ...this.#health(dice, victim)];
    return this.#p0(lendingPoolHandleBankruptcy, accounts, {}, readonly(list));
  }

  /** Opens, transfers or closes an account. */
  #accountInstruction(dice: Dice, party: Party): Instruction {
    this.#opened += 1;
    const fresh = addressOf(20 + (this.#opened % 60));
    const [accountIndex, thirdPartyId] = [dice.roll(3), pick(dice, [null, 0, 77, 10_000])];
    const derived = (authority: Address) => derivedAccount(authority, accountIndex, thirdPartyId ?? 0);
    const sysvars = { instructionsSysvar: INSTRUCTIONS_SYSVAR, systemProgram: SYSTEM_PROGRAM };
    const heir = pick(dice, this.#parties).wallet;
    const transferred = {
      group: MARGINFI_MAIN_GROUP,
      oldMarginfiAccount: party.account,
      authority: party.wallet,
      feePayer: party.wallet,
      newAuthority: heir,
      globalFeeWallet: this.#feeWallet(),
      feeState: act.FEE_STATE_ADDRESS,
    };
    switch (dice.roll(5)) {
      case 0:
        return act.initializeAccount({ ...party, account: fresh });
      case 1:
        return this.#p0(
          marginfiAccountInitializePda,
          {
            marginfiGroup: MARGINFI_MAIN_GROUP,
            marginfiAccount: derived(party.wallet),
            authority: party.wallet,
            feePayer: party.wallet,
            ...sysvars,
          },
          { accountIndex, thirdPartyId },
        );
      case 2:
        return this.#p0(transferToNewAccount, { ...transferred, newMarginfiAccount: fresh, ...sysvars }, {});
      case 3:
        return this.#p0(
          transferToNewAccountPda,
          { ...transferred, newMarginfiAccount: derived(heir), ...sysvars },
          { accountIndex, thirdPartyId },
        );
      default:
        return act.closeAccount(party);
    }
  }

  #editBank(dice: Dice): void {
    const bank = this.#bank(dice).address;
    const usd = this.#amount(dice, this.chain.bankAt(bank));
    this.chain.rewrite(bankLayout, bank, (value) => {
      const configured = (config: Partial<Bank['config']>) => ({ ...value, config: { ...value.config, ...config } });
      const room = smallerOf(usd, 2n ** 62n);
      switch (dice.roll(12)) {
        case 0:
          return configured({ depositLimit: room + (value.totalAssetShares >> 48n) });
        case 1:
          return configured({ borrowLimit: room + (value.totalLiabilityShares >> 48n) });
        case 2:
          return configured({ operationalState: dice.roll(BANK_OPERATIONAL_STATES.length) });
        case 3:
          return configured({ riskTier: dice.roll(2) });
        case 4:
          return configured({ totalAssetValueInitLimit: BigInt(dice.roll(2) * dice.roll(100_000_000)) });
        case 5:
          return { ...value, flags: value.flags ^ (1n << BigInt(dice.roll(7))) };
        case 6:
          return { ...value, rateLimiter: limiter(dice, usd, this.chain.context.unixTimestamp) };
        case 7: {
          const fee = () => dice.roll(3) * dice.roll(200_000_000);
          return { ...value, liquidationLiquidatorFee: fee(), liquidationInsuranceFee: fee() };
        }
        case 8:
        case 9:
        case 10:
          return watched(dice, value);
        default:
          return configured({ oracleMaxConfidence: dice.roll(2) * dice.roll(400_000_000) });
      }
    });
  }

  /** Another table, a bank that begins or ceases to charge, or balances and a tag as they may be left from before. */
  #editPremium(dice: Dice): void {
    const { unixTimestamp } = this.chain.context;
    switch (dice.roll(4)) {
      case 0:
        this.chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (value) => withPremiums(dice, value));
        return;
      case 1:
        this.chain.rewrite(bankLayout, this.#bank(dice).address, this.#charging(dice));
        return;
      default: {
        const owing = (balance: Balance) =>
          dice.roll(3) > 0 || balance.active === 0
            ? balance
            : {
                ...balance,
                premiumOutstanding: dice.portion(balance.liabilityShares, 0, 20),
                premiumRateSnapshot: dice.roll(MOST_PREMIUM),
                lastUpdate: unixTimestamp - BigInt(dice.roll(40_000_000)),
              };
        this.#rewriteAccount(pick(dice, this.#parties).account, (value) => {
          const liquidationTaggedAt = BigInt(dice.roll(2)) * (unixTimestamp - BigInt(dice.roll(700_000)));
          return withBalances({ ...value, liquidationTaggedAt }, owing);
        });
      }
    }
  }

  #editGroup(dice: Dice): void {
    if (dice.roll(4) === 0) {
      this.chain.rewrite(feeStateLayout, act.FEE_STATE_ADDRESS, (value) => ({
        ...value,
        liquidationFlatSolFee: dice.roll(10_000_000),
        accountTransferFee: dice.roll(2) * dice.roll(10_000_000),
      }));
      return;
    }
    const { unixTimestamp } = this.chain.context;
    this.chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (value) => {
      switch (dice.roll(5)) {
        case 3:
          return withLeverages(dice, value);
        case 0: {
          const pauseFlags = dice.roll(4) === 0 ? 1 : 0;
          const pauseStartTimestamp = unixTimestamp - BigInt(dice.roll(2_000));
          return { ...value, panicStateCache: { ...value.panicStateCache, pauseFlags, pauseStartTimestamp } };
        }
        case 1:
          return { ...value, riskAdmin: pick(dice, this.#parties).wallet };
        case 2:
          return { ...value, groupFlags: BigInt(dice.roll(2)) };
        default:
          return { ...value, rateLimiter: limiter(dice, BigInt(dice.roll(1_000_000)), unixTimestamp) };
      }
    });
  }

  #flagAccount(dice: Dice): void {
    const { account } = pick(dice, this.#parties);
    const change = () => (dice.roll(4) > 0 ? 0n : 1n << BigInt(dice.roll(8)));
    this.#rewriteAccount(account, (value) => ({ ...value, accountFlags: change() }));
  }

  /** Takes a part of what a party lent, as a fall of all prices would. */
  #weaken({ account }: Party, percentLeft: bigint): void {
    const weaken = (balance: Balance) => ({ ...balance, assetShares: (balance.assetShares * percentLeft) / 100n });
    this.#rewriteAccount(account, (value) => withBalances(value, weaken));
  }

  #rewriteAccount(account: Address, change: (value: Account) => Account): void {
    if (this.chain.accounts.has(account)) this.chain.rewrite(marginfiAccountLayout, account, change);
  }

  /** Mostly the health list that the program asks for; at times one that it does not. */
  #health(dice: Dice, party: Party, change: HealthChange = {}): readonly Address[] {
    return this.#list(party, dice.roll(15) === 0 ? {} : change);
  }

  #list({ account }: Party, change: HealthChange): readonly Address[] {
    return this.chain.accounts.has(account) ? this.chain.healthAccounts(account, change) : [];
  }

  /** Whole base units of what a party lent to a bank, or owes it, as last accrued; its premium is left out: repaid, they leave less than a share. */
  #amountIn(party: Party, { address, shares }: P0Bank, side: Side): bigint {
    const held = this.#balances(party).find(({ bankPk }) => bankPk === address)?.[side] ?? 0n;
    return (held * (side === 'assetShares' ? shares.assetShareValue : shares.liabilityShareValue)) >> 96n;
  }

  #held(party: Party): readonly Address[] {
    return this.#balances(party).flatMap(({ active, bankPk }) => (active === 0 ? [] : [bankPk]));
  }

  #balances({ account }: Party): readonly Balance[] {
    return this.chain.accounts.has(account) ? this.chain.marginfiAccount(account).lendingAccount.balances : [];
  }

  /** Mostly a bank that the party lent to, or that it owes, at times any; null where it has none. */
  #bankOf(dice: Dice, party: Party, side: Side): P0Bank | null {
    if (!this.chain.accounts.has(party.account)) return null;
    if (dice.roll(12) === 0) return this.#bank(dice);
    const fitting = this.#banksWith(party, side);
    return fitting.length === 0 ? null : this.chain.bankAt(pick(dice, fitting));
  }

  #banksWith(party: Party, side: Side): readonly Address[] {
    return this.#balances(party).flatMap((balance) => (balance[side] > 0n ? [balance.bankPk] : []));
  }

  #bank(dice: Dice): P0Bank {
    return this.chain.bankAt(pick(dice, P0_BANKS).address);
  }

  /** Base units worth from a ten-thousandth of a dollar to a million, each order of magnitude as likely; at times an edge of the type. */
  #amount(dice: Dice, bank: P0Bank): bigint {
    if (dice.roll(40) === 0) return pick(dice, [0n, 1n, 2n ** 63n, 2n ** 64n - 1n]);
    return (
      (worthOf(tokenNameOf(bank), 10n ** BigInt(dice.roll(7))) * BigInt(1_000 + dice.roll(9_000))) /
      10n ** BigInt(dice.roll(5)) /
      1_000n
    );
  }

  #feeWallet(): Address {
    return this.chain.group().feeStateCache.globalFeeWallet;
  }

  #p0<TList extends string, TArgs>(
    layout: InstructionLayout<TList, TArgs>,
    accounts: AccountsOf<TList>,
    args: TArgs,
    remaining: readonly AccountMeta[] = [],
  ): Instruction {
    return encodeInstruction(layout, MARGINFI_PROGRAM, accounts, args, remaining, this.#version);
  }
}

/** The most there is: natively nothing is metered. */
const UNIT_LIMIT: Instruction = {
  programAddress: COMPUTE_BUDGET_PROGRAM,
  data: Uint8Array.of(2, ...new Uint8Array(Uint32Array.of(1_400_000).buffer)),
};

function tokenNameOf(bank: P0Bank): DemoTokenName {
  return [...P0_BANKS, ...VENUES].find(({ address }) => address === bank.address)?.token as DemoTokenName;
}

function readonly(addresses: readonly Address[]): readonly AccountMeta[] {
  return addresses.map((address) => ({ address, role: AccountRole.READONLY }));
}

/** A limit on what flows out, of which some has flowed. */
function limiter(dice: Dice, maxOutflow: bigint, now: bigint) {
  const most = smallerOf(maxOutflow, 2n ** 62n);
  const window = (seconds: number) => ({
    maxOutflow: dice.roll(3) === 0 ? 0n : most,
    windowDuration: BigInt(seconds),
    windowStart: now - BigInt(dice.roll(2 * seconds)),
    prevWindowOutflow: dice.portion(most, 0, 100),
    curWindowOutflow: dice.portion(most, 0, 120),
  });
  return { hourly: window(3_600), daily: window(86_400) };
}

/** From off to a hundred, the most that the program stores. */
function withLeverages<Group extends object>(dice: Dice, value: Group): Group {
  return {
    ...value,
    sameAssetEmodeInitLeverage: dice.roll(0x8000_0000) * dice.roll(2),
    sameAssetEmodeMaintLeverage: 0x8000_0000 + dice.roll(0x7fff_ffff),
  };
}

function withBalances(value: Account, change: (balance: Balance) => Balance): Account {
  return { ...value, lendingAccount: { ...value.lendingAccount, balances: value.lendingAccount.balances.map(change) } };
}

/** A table of premiums in the program's order, at times empty. */
function withPremiums(dice: Dice, group: MarginfiGroup): MarginfiGroup {
  const tags = Array.from({ length: PREMIUM_TAGS }, (_, index) => index + 1);
  const pairs = tags.flatMap((collateralTag) =>
    tags.flatMap((liabilityTag) =>
      dice.roll(4) === 0 ? [] : [{ collateralTag, liabilityTag, rate: dice.roll(MOST_PREMIUM) }],
    ),
  );
  const { premiumEntries, premiumSettings } = group;
  return {
    ...group,
    premiumSettings: { ...premiumSettings, entryCount: dice.roll(8) === 0 ? 0 : pairs.length },
    premiumEntries: premiumEntries.map((none, index) => pairs[index] ?? none),
  };
}

/** A bank with a circuit breaker that some move of a price trips. */
function watched(dice: Dice, bank: Bank): Bank {
  const ascending = (first: number) => [first, first * 2, first * 4].map((one) => one + dice.roll(first));
  const breaker = {
    cbDeviationBpsTiers: ascending(100 + dice.roll(1_000)),
    cbTierDurationsSeconds: ascending(30 + dice.roll(4_000)),
    cbEscalationWindowMult: 1 + dice.roll(10),
    cbEmaAlphaBps: 1 + dice.roll(2_000),
    cbWindowSeconds: dice.roll(2) * dice.roll(100_000),
    cbWindowMaxUpBps: dice.roll(2) * dice.roll(5_000),
    cbWindowMaxDownBps: dice.roll(2) * dice.roll(5_000),
  };
  return { ...bank, flags: bank.flags | BANK_FLAG.hasCircuitBreaker, config: { ...bank.config, ...breaker } };
}

function derivedAccount(authority: Address, index: number, id: number): Address {
  const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);
  const keys = [MARGINFI_MAIN_GROUP, authority].map(getAddressBytes);
  return findProgramAddress([encoder.encode('marginfi_account'), ...keys, u16(index), u16(id)], MARGINFI_PROGRAM)
    .address;
}

/** The bank that an instruction of the user names, where it names one. */
function borrowedBank({ accounts = [] }: Instruction): readonly Address[] {
  const bank = accounts[3]?.address;
  return bank === undefined ? [] : [bank];
}

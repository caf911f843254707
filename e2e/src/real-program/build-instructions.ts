import {
  encodeInstruction,
  lendingAccountBorrow,
  lendingAccountCloseBalance,
  lendingAccountDeposit,
  lendingAccountEndFlashloan,
  lendingAccountLiquidate,
  lendingAccountPulseHealth,
  lendingAccountRepay,
  lendingAccountStartFlashloan,
  lendingAccountWithdraw,
  lendingPoolAccrueBankInterest,
  MARGINFI_PROGRAM,
  marginfiAccountClose,
  marginfiAccountInitialize,
  marginfiAccountInitializePda,
  marginfiAccountLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type AccountMeta, AccountRole, type Address, getAddressEncoder, type Instruction } from '@solana/kit';
import { GROUP, INSTRUCTIONS_SYSVAR, PAYER, SYSTEM_PROGRAM } from './addresses.ts';
import { type Chain, LEADING_INSTRUCTIONS } from './chain.ts';
import {
  accountOf,
  bankAt,
  bankNamed,
  DERIVED_INDEX,
  FEE_POOLS,
  tokenAccountOf,
  type UserName,
  walletOf,
} from './market.ts';
import type { Op } from './steps.ts';

/** Banks a user holds a balance in. */
type Held = ReadonlySet<Address>;

/** The instructions as the service builds them today: today's flags, and health accounts sorted by bank, descending. */
export function buildInstructions(chain: Chain, ops: readonly Op[]): readonly Instruction[] {
  const held = new Map<UserName, Held>();
  const heldBy = (user: UserName) => held.get(user) ?? readHeld(chain, user);
  return ops.map((op) => {
    const before = 'user' in op ? heldBy(op.user) : new Set<Address>();
    const after = heldAfter(before, op);
    if ('user' in op) held.set(op.user, after);
    const victim = op.op === 'liquidate' ? heldBy(op.victim) : new Set<Address>();
    return build(op, after, victim);
  });
}

export function readHeld(chain: Chain, user: UserName): Held {
  const state = chain.account(accountOf(user));
  if (state === undefined || state.owner !== MARGINFI_PROGRAM) return new Set();
  const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
  return new Set(balances.filter(({ active }) => active === 1).map(({ bankPk }) => bankPk));
}

/** Which balances are there once the instruction has done its work. */
function heldAfter(before: Held, op: Op): Held {
  switch (op.op) {
    case 'deposit':
    case 'depositUpToLimit':
    case 'borrow':
      return new Set([...before, bankNamed(op.bank).address]);
    case 'withdrawAll':
    case 'repayAll':
    case 'closeBalance': {
      const closed = bankNamed(op.bank).address;
      return new Set([...before].filter((bank) => bank !== closed));
    }
    case 'liquidate':
      return new Set([...before, bankNamed(op.asset).address, bankNamed(op.debt).address]);
    default:
      return before;
  }
}

/** Bank and oracle of each balance, by bank address descending. */
export function healthAccounts(held: Held): AccountMeta[] {
  return sortedDescending(held).flatMap((bank) => [readonly(bank), readonly(bankAt(bank).oracle)]);
}

export function sortedDescending(banks: Iterable<Address>): Address[] {
  const bytes = (bank: Address) => Buffer.from(getAddressEncoder().encode(bank));
  return [...banks].sort((left, right) => Buffer.compare(bytes(right), bytes(left)));
}

function readonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY };
}

function build(op: Op, held: Held, victimHeld: Held): Instruction {
  switch (op.op) {
    case 'createAccount':
      return encodeInstruction(
        marginfiAccountInitialize,
        MARGINFI_PROGRAM,
        {
          marginfiGroup: GROUP,
          marginfiAccount: accountOf(op.user),
          authority: walletOf(op.user),
          feePayer: PAYER,
          systemProgram: SYSTEM_PROGRAM,
        },
        {},
      );
    case 'createDerivedAccount':
      return encodeInstruction(
        marginfiAccountInitializePda,
        MARGINFI_PROGRAM,
        {
          marginfiGroup: GROUP,
          marginfiAccount: accountOf(op.user),
          authority: walletOf(op.user),
          feePayer: PAYER,
          instructionsSysvar: INSTRUCTIONS_SYSVAR,
          systemProgram: SYSTEM_PROGRAM,
        },
        { accountIndex: DERIVED_INDEX, thirdPartyId: null },
      );
    case 'pulseHealth': {
      const accounts = { marginfiAccount: accountOf(op.user), group: GROUP };
      return encodeInstruction(lendingAccountPulseHealth, MARGINFI_PROGRAM, accounts, {}, healthAccounts(held));
    }
    case 'closeAccount': {
      const { marginfiAccount, authority } = ownerOf(op.user);
      const accounts = { marginfiAccount, authority, feePayer: PAYER, rebalanceFeePool: FEE_POOLS[op.user] };
      return encodeInstruction(marginfiAccountClose, MARGINFI_PROGRAM, accounts, {});
    }
    case 'accrue': {
      const accounts = { group: GROUP, bank: bankNamed(op.bank).address };
      return encodeInstruction(lendingPoolAccrueBankInterest, MARGINFI_PROGRAM, accounts, {});
    }
    case 'startFlashLoan': {
      const accounts = { ...ownerOf(op.user), ixsSysvar: INSTRUCTIONS_SYSVAR };
      const endIndex = BigInt(op.end + LEADING_INSTRUCTIONS);
      return encodeInstruction(lendingAccountStartFlashloan, MARGINFI_PROGRAM, accounts, { endIndex });
    }
    case 'endFlashLoan':
      return encodeInstruction(
        lendingAccountEndFlashloan,
        MARGINFI_PROGRAM,
        { ...ownerOf(op.user), group: GROUP },
        {},
        healthAccounts(held),
      );
    case 'liquidate':
      return liquidate(op, held, victimHeld);
    default:
      return inBank(op, held);
  }
}

function ownerOf(user: UserName) {
  return { marginfiAccount: accountOf(user), authority: walletOf(user) };
}

function inBank(op: Extract<Op, { readonly bank: unknown; readonly user: unknown }>, held: Held): Instruction {
  const bank = bankNamed(op.bank);
  const tokens = tokenAccountOf(op.user, op.bank);
  const base = {
    group: GROUP,
    marginfiAccount: accountOf(op.user),
    authority: walletOf(op.signer ?? op.user),
    bank: bank.address,
    liquidityVault: bank.vaults.liquidity.address,
    tokenProgram: TOKEN_PROGRAM,
  };
  const paid = { ...base, signerTokenAccount: tokens };
  const taken = {
    ...base,
    destinationTokenAccount: tokens,
    bankLiquidityVaultAuthority: bank.vaults.liquidity.authority,
  };
  const health = healthAccounts(held);
  switch (op.op) {
    case 'deposit':
      return encodeInstruction(lendingAccountDeposit, MARGINFI_PROGRAM, paid, {
        amount: op.amount,
        depositUpToLimit: null,
      });
    case 'depositUpToLimit':
      return encodeInstruction(lendingAccountDeposit, MARGINFI_PROGRAM, paid, {
        amount: op.amount,
        depositUpToLimit: true,
      });
    case 'repay':
      return encodeInstruction(lendingAccountRepay, MARGINFI_PROGRAM, paid, { amount: op.amount, repayAll: null });
    case 'repayAll':
      return encodeInstruction(lendingAccountRepay, MARGINFI_PROGRAM, paid, { amount: 0n, repayAll: true });
    case 'borrow':
      return encodeInstruction(lendingAccountBorrow, MARGINFI_PROGRAM, taken, { amount: op.amount }, health);
    case 'withdraw':
      return encodeInstruction(
        lendingAccountWithdraw,
        MARGINFI_PROGRAM,
        taken,
        { amount: op.amount, withdrawAll: null },
        health,
      );
    case 'withdrawAll':
      return encodeInstruction(
        lendingAccountWithdraw,
        MARGINFI_PROGRAM,
        taken,
        { amount: 0n, withdrawAll: true },
        health,
      );
    case 'closeBalance': {
      const { group, marginfiAccount, authority } = base;
      const accounts = { group, marginfiAccount, authority, bank: bank.address };
      return encodeInstruction(lendingAccountCloseBalance, MARGINFI_PROGRAM, accounts, {});
    }
  }
}

function liquidate(op: Extract<Op, { readonly op: 'liquidate' }>, held: Held, victimHeld: Held): Instruction {
  const [asset, debt] = [bankNamed(op.asset), bankNamed(op.debt)];
  const liquidator = healthAccounts(held);
  const liquidatee = healthAccounts(victimHeld);
  return encodeInstruction(
    lendingAccountLiquidate,
    MARGINFI_PROGRAM,
    {
      group: GROUP,
      assetBank: asset.address,
      liabBank: debt.address,
      liquidatorMarginfiAccount: accountOf(op.user),
      authority: walletOf(op.user),
      liquidateeMarginfiAccount: accountOf(op.victim),
      bankLiquidityVaultAuthority: debt.vaults.liquidity.authority,
      bankLiquidityVault: debt.vaults.liquidity.address,
      bankInsuranceVault: debt.vaults.insurance.address,
      tokenProgram: TOKEN_PROGRAM,
    },
    { assetAmount: op.amount, liquidateeAccounts: liquidatee.length, liquidatorAccounts: liquidator.length },
    [readonly(asset.oracle), readonly(debt.oracle), ...liquidator, ...liquidatee],
  );
}

import {
  accrueLedger,
  type CapacityState,
  type HeldBalance,
  maxBorrow,
  maxDeposit,
  maxWithdraw,
  type RiskBank,
  type RiskPrice,
} from '@lending/domain';
import { bankLayout, MARGINFI_PROGRAM, tokenAccountLayout } from '@lending/programs';
import {
  type AccountBytes,
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  loadRiskPrice,
  type Moment,
  readVaultAmount,
  toRiskBank,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { GROUP } from './addresses.ts';
import type { Chain } from './chain.ts';
import { accountOf, bankAt, bankNamed, type MarketBank, tokenAccountOf } from './market.ts';
import type { EdgeStep } from './steps.ts';

/** What the service says is the most that passes, from the same bytes the chain decides on. Null where it names no such number. */
export function edgeByDomain(chain: Chain, step: EdgeStep): bigint | null {
  switch (step.op) {
    case 'borrow':
      return maxBorrow(capacityState(chain, step)).maxBase;
    case 'deposit':
      return maxDeposit(capacityState(chain, step), walletAmount(chain, step)).maxBase;
    case 'withdraw': {
      const { maxBase, withdrawsAll } = maxWithdraw(capacityState(chain, step));
      return withdrawsAll ? null : maxBase;
    }
    case 'repay':
      return null;
  }
}

function walletAmount(chain: Chain, { user, bank }: EdgeStep): bigint {
  return tokenAccountLayout.decode(chain.data(tokenAccountOf(user, bank))).amount;
}

function capacityState(chain: Chain, { user, bank: name }: EdgeStep): CapacityState {
  const bank = bankNamed(name);
  const group = decodeGroup(bytesAt(chain, GROUP), MARGINFI_PROGRAM);
  const account = decodeMarginfiAccount(bytesAt(chain, accountOf(user)), MARGINFI_PROGRAM);
  const target = judged(chain, bank);
  const decoded = decodeBank(bytesAt(chain, bank.address), MARGINFI_PROGRAM);
  const ledger = bankLayout.decode(chain.data(bank.address));
  const accrued = accrueLedger(
    ledger,
    decoded.curve,
    { ...decoded.fees, program: group.programFee },
    chain.unixTimestamp,
  );
  if (accrued.kind === 'refused') throw new TypeError(`The bank ${name} cannot be accrued: ${accrued.error}`);
  const balances = account.balances.map(
    ({ bank: address, assetShares, liabilityShares, assetTag }): HeldBalance => ({
      ...judged(chain, bankAt(address)),
      assetShares,
      liabilityShares,
      premium: 0n,
      assetTag,
    }),
  );
  return {
    account: { balances, flags: account.rawFlags },
    bank: {
      risk: target.bank,
      ledger: accrued.bank,
      price: target.price,
      vaultBase: readVaultAmount(decoded, bytesAt(chain, bank.vaults.liquidity.address)) ?? 0n,
      transferFee: null,
      units: null,
    },
    group: {
      isPaused: false,
      rateLimiter: group.rateLimiter,
      programFeeRate: group.programFee?.rate ?? 0n,
      premiumPairs: group.premiumPairs,
    },
    unixTimestamp: chain.unixTimestamp,
  };
}

function judged(chain: Chain, { address, oracle }: MarketBank): { readonly bank: RiskBank; readonly price: RiskPrice } {
  const bank = decodeBank(bytesAt(chain, address), MARGINFI_PROGRAM);
  const moment: Moment = { slot: chain.unixTimestamp * 2n, unixTimestamp: chain.unixTimestamp };
  return { bank: toRiskBank(bank, null, null), price: loadRiskPrice(bank, [bytesAt(chain, oracle)], moment) };
}

function bytesAt(chain: Chain, address: Address): AccountBytes {
  const state = chain.account(address);
  if (state === undefined) throw new TypeError(`There is no account ${address}`);
  return { address, owner: state.owner, data: state.data, lamports: state.lamports };
}

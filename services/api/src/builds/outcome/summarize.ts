import type { HealthStatus, Ratio } from '@lending/domain';
import { toShownRatio } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { JudgedHealth } from '../build.ts';

/** What a summary tells; texts of the chain do not come into it. */
export interface Summary {
  /** A transaction's own label, such as `Deposit 1.5 SOL into P0`. */
  readonly label: string;
  readonly account: Address;
  readonly createsAccount: boolean;
  /** Something is done in the account, too. */
  readonly isAction: boolean;
  readonly transactions: number;
  readonly health: JudgedHealth;
  /** Of a loop's or a close's collateral, from its price of now to where the account is open to liquidation. Null: none is, or it is not told. */
  readonly priceChangeToLiquidation?: Ratio | null;
}

const STATUS_WORDS: Readonly<Record<HealthStatus, string>> = {
  healthy: 'healthy',
  moderate: 'moderately safe',
  warning: 'close to liquidation',
  critical: 'very close to liquidation',
  liquidatable: 'open to liquidation',
  unknown: 'of unknown health',
};

/** One plain sentence to show a person before signing. */
export function summarize(summary: Summary): string {
  const { label, account, createsAccount, isAction, transactions, health } = summary;
  const opened = isAction ? ` and open lending account ${short(account)}` : `, ${short(account)}`;
  const where = createsAccount ? opened : ` on lending account ${short(account)}`;
  const many = transactions === 1 ? '' : `, in ${transactions} transactions`;
  return `${label}${where}${many}; ${afterwards(health)}${untilLiquidation(summary)}.`;
}

/** Only of what falls: once the line is behind, the status says so. */
function untilLiquidation({ priceChangeToLiquidation: change = null, health }: Summary): string {
  if (change === null || change.numerator >= 0n || health.staleBanks.length > 0) return '';
  const percent = (Math.floor(-toShownRatio(change) * 1_000) / 10).toFixed(1);
  return `, and a fall of the deposited token by ${percent} % would open it to liquidation`;
}

function afterwards({ health, staleBanks }: JudgedHealth): string {
  if (staleBanks.length > 0) return 'how safe the account is afterwards cannot be told, because a price is out of date';
  if (health.ratio === null) return 'the account owes nothing afterwards';
  return `afterwards its assets are worth ${shown(health.ratio)} times its debt at maintenance weights, which is ${STATUS_WORDS[health.status]}`;
}

/** Rounded down: an account is never told to be safer than it is. */
function shown(ratio: Ratio): string {
  return (Math.floor(toShownRatio(ratio) * 100) / 100).toFixed(2);
}

function short(address: Address): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

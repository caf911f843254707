import type { Account, Bank, Candidate, Findings, Position, Token } from '#checks/check.ts';

/** One question to a builder. */
export interface Attempt {
  readonly authority: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Parts of what could be moved: what others do meanwhile is no reason to fail. */
const SMALL = 0.05;
const HALF = 0.5;
const LEVERAGE = 1.3;
/** So that fees and rent are paid, and dust is left alone. */
const LEAST_SOL = 0.1;
const LEAST_USD = 1;

type Row = readonly [candidate: Candidate, account: Account, position: Position];

const bankAt = ({ banks }: Findings, address: string): Bank | undefined =>
  banks.find((bank) => bank.address === address);

/** Somebody who can pay for what is built. */
const payers = ({ candidates }: Findings): readonly Candidate[] =>
  candidates.filter(({ tokens }) => tokens.some((token) => token.is_native_sol && token.amount_ui >= LEAST_SOL));

const positions = (findings: Findings, side: Position['side']): readonly Row[] =>
  payers(findings).flatMap((candidate) =>
    candidate.accounts.flatMap((account) =>
      account.positions
        .filter((position) => position.side === side && (position.amount_usd ?? 0) >= LEAST_USD)
        .map((position) => [candidate, account, position] as const),
    ),
  );

/** Largest first, native SOL with what has to stay left out. */
const holdings = ({ tokens }: Candidate): readonly Token[] =>
  tokens
    .filter(
      (token) => (token.value_usd ?? 0) >= LEAST_USD && (!token.is_native_sol || token.amount_ui >= 2 * LEAST_SOL),
    )
    .toSorted((a, b) => (b.value_usd ?? 0) - (a.value_usd ?? 0));

const held = ({ tokens }: Candidate, mint: string): number =>
  tokens.filter((token) => token.mint === mint).reduce((sum, token) => sum + token.amount_ui, 0);

/** What each builder may be asked with, by what wallets and accounts hold; likely ones first. */
export const ATTEMPTS: Readonly<Record<string, (findings: Findings) => readonly Attempt[]>> = {
  svc_create_account: (findings) => payers(findings).map(({ authority }) => ({ authority, args: {} })),

  svc_deposit: (findings) =>
    payers(findings).flatMap((candidate) =>
      holdings(candidate).flatMap(({ banks = [], amount_ui: amount }) =>
        banks.slice(0, 2).flatMap(({ bank }) => {
          const text = amountText(amount, SMALL, bankAt(findings, bank)?.decimals ?? 0);
          const account = candidate.accounts[0]?.address;
          return text === null ? [] : [attempt(candidate, { bank, amount: text, account })];
        }),
      ),
    ),

  svc_withdraw: (findings) =>
    positions(findings, 'lend').flatMap(([candidate, account, { bank, amount_ui, max_withdraw_ui: most }]) => {
      const text = amountText(most ?? amount_ui, SMALL, bankAt(findings, bank)?.decimals ?? 0);
      return text === null ? [] : [attempt(candidate, { bank, amount: text, account: account.address })];
    }),

  svc_borrow: (findings) =>
    payers(findings).flatMap((candidate) =>
      candidate.accounts.flatMap(({ address: account, max_borrow: rooms, positions: its }) =>
        (rooms ?? [])
          .filter(({ bank }) => !its.some((position) => position.side === 'lend' && position.bank === bank))
          .slice(0, 2)
          .flatMap(({ bank, amount_ui: most }) => {
            const text = amountText(most, SMALL, bankAt(findings, bank)?.decimals ?? 0);
            return text === null ? [] : [attempt(candidate, { bank, amount: text, account })];
          }),
      ),
    ),

  svc_repay: (findings) =>
    positions(findings, 'borrow').flatMap(([candidate, account, { bank, mint, amount_ui: owed }]) => {
      const known = bankAt(findings, bank);
      const most = Math.min(owed ?? 0, held(candidate, known?.mint ?? mint));
      const text = amountText(most, HALF, known?.decimals ?? 0);
      return text === null ? [] : [attempt(candidate, { bank, amount: text, account: account.address })];
    }),

  svc_loop: (findings) =>
    payers(findings).flatMap((candidate) =>
      holdings(candidate).flatMap((token) => {
        // A loop of one token needs no swap, one of two does: both are tried.
        const its = findings.strategies.filter(
          ({ supply, max_leverage: most }) => supply.mint === token.mint && most > LEVERAGE,
        );
        const swapped = its.filter(({ supply, borrow }) => supply.mint !== borrow.mint);
        return [...swapped.slice(0, 2), ...its.slice(0, 1)].flatMap(({ supply, borrow }) => {
          const text = amountText(token.amount_ui, SMALL, bankAt(findings, supply.bank)?.decimals ?? 0);
          const banks = { deposit_bank: supply.bank, borrow_bank: borrow.bank };
          return text === null
            ? []
            : [attempt(candidate, { ...banks, amount: text, leverage: LEVERAGE, create_new_account: true })];
        });
      }),
    ),

  svc_close_position: (findings) =>
    positions(findings, 'borrow').flatMap(([candidate, account, debt]) => {
      const [collateral] = account.positions
        .filter(({ side }) => side === 'lend')
        .toSorted((a, b) => (b.amount_usd ?? 0) - (a.amount_usd ?? 0));
      const text = amountText(debt.amount_ui, SMALL, bankAt(findings, debt.bank)?.decimals ?? 0);
      if (collateral === undefined || text === null) return [];
      const banks = { deposit_bank: collateral.bank, borrow_bank: debt.bank };
      return [attempt(candidate, { ...banks, amount: text, account: account.address })];
    }),
};

function attempt({ authority }: Candidate, args: Readonly<Record<string, unknown>>): Attempt {
  return { authority, args };
}

/** Amounts of a smoke test need no more, and no token has to have them. */
const MOST_DECIMALS = 6;

/** A part of an amount as the decimal text that builders take, rounded down; null where nothing is left of it. */
export function amountText(amount: number | null | undefined, part: number, decimals: number): string | null {
  if (amount == null || !Number.isFinite(amount)) return null;
  const places = Math.min(decimals, MOST_DECIMALS);
  const scaled = Math.floor(amount * part * 10 ** places);
  if (scaled < 1 || !Number.isSafeInteger(scaled)) return null;
  const digits = String(scaled).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

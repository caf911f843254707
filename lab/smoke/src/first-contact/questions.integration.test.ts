import { editAccount, type OpenedLocalnet } from '@lending/localnet';
import {
  bankLayout,
  MARGINFI_ERRORS,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  type ProgramVersion,
  placeOf as placeOfField,
  priceUpdateV2Layout,
  rebalanceOrderLayout,
} from '@lending/programs';
import { decodeBank, decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import {
  type Address,
  getAddressDecoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { askOn, failing, type Lie, openStill, rewriting } from './testing/contact-chain.ts';

const FAR = 4_000_000_000n;
const { RebalanceNotImproving, WrongNumberOfOracleAccounts, CircuitBreakerPriceJump } = MARGINFI_ERRORS;

async function onChain<T>(
  version: ProgramVersion,
  use: (localnet: OpenedLocalnet) => Promise<T>,
  options: Parameters<typeof openStill>[1] = {},
): Promise<T> {
  const localnet = await openStill(version, options);
  try {
    return await use(localnet);
  } finally {
    await localnet.stop();
  }
}

function owned<T>(
  { ledger }: OpenedLocalnet,
  layout: { readonly discriminator: Uint8Array },
  decode: (bytes: never) => T,
) {
  return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed')].flatMap(([address, state]) =>
    layout.discriminator.every((byte, nth) => state.data[nth] === byte) ? [decode({ address, ...state } as never)] : [],
  );
}
const banksOf = (localnet: OpenedLocalnet): readonly P0Bank[] =>
  owned(localnet, bankLayout, (bytes) => decodeBank(bytes, MARGINFI_PROGRAM));
const accountsOf = (localnet: OpenedLocalnet): readonly P0Account[] =>
  owned(localnet, marginfiAccountLayout, (bytes) => decodeMarginfiAccount(bytes, MARGINFI_PROGRAM));
const isDebt = ({ liabilityShares }: P0Account['balances'][number]) => liabilityShares > 0n;
/** Two deposits, two debts, one of which bears a premium at 0.1.12, and two standing orders. */
const traderOf = (localnet: OpenedLocalnet): P0Account =>
  accountsOf(localnet).find(({ activeOrders, balances }) => activeOrders === 2 && balances.length === 4) as P0Account;
const bankAt = (localnet: OpenedLocalnet, address: Address): P0Bank =>
  banksOf(localnet).find((bank) => bank.address === address) as P0Bank;

/** The trader's deposit of wrapped ether, whose feed nothing else of his reads. */
function depositOf(localnet: OpenedLocalnet, nth: number): P0Bank {
  const deposits = traderOf(localnet).balances.filter((balance) => !isDebt(balance));
  return bankAt(localnet, deposits[nth]?.bank as Address);
}

/** So that the trader's debts are covered without one of his deposits, too. */
function enrich(localnet: OpenedLocalnet): void {
  editAccount(localnet.ledger, marginfiAccountLayout, traderOf(localnet).address, (one) => ({
    ...one,
    lendingAccount: {
      ...one.lendingAccount,
      balances: one.lendingAccount.balances.map((each) => ({ ...each, assetShares: each.assetShares * 20n })),
    },
  }));
}

/** Points a bank to a copy of its feed that was published long ago, and that no publisher keeps fresh. */
function makeStale({ ledger }: OpenedLocalnet, bank: P0Bank): void {
  const copy = getAddressDecoder().decode(new Uint8Array(32).fill(9));
  const feed = ledger.account(bank.oracle.keys[0] as Address);
  if (feed === undefined) throw new TypeError('the bank has no feed');
  ledger.writeAccounts([[copy, feed]]);
  editAccount(ledger, priceUpdateV2Layout, copy, (one) => ({
    ...one,
    priceMessage: { ...one.priceMessage, publishTime: 1n },
  }));
  editAccount(ledger, bankLayout, bank.address, (one) => ({
    ...one,
    config: { ...one.config, oracleKeys: [copy, ...one.config.oracleKeys.slice(1)] },
  }));
}

function halt(localnet: OpenedLocalnet, bank: Address): void {
  editAccount(localnet.ledger, bankLayout, bank, (one) => ({
    ...one,
    flags: one.flags | (1n << 11n),
    cbTier: 1,
    cbHaltStartedAt: 1n,
    cbHaltEndedAt: FAR,
  }));
}

function setState(localnet: OpenedLocalnet, bank: Address, operationalState: number): void {
  editAccount(localnet.ledger, bankLayout, bank, (one) => ({ ...one, config: { ...one.config, operationalState } }));
}

const STRICT = { relaxes: false, assumptionFallen: null };
const RELAXED = { relaxes: true, assumptionFallen: null };

describe('which version runs', () => {
  it.each(['0.1.10', '0.1.11', '0.1.12'] as const)('is found on a chain of %s', (version) =>
    onChain(version, async (localnet) => {
      expect(await askOn(localnet, 'program_version')).toMatchObject({
        answer: expect.stringContaining(`${version}, deployed at slot `),
        assumptionFallen: null,
      });
    }),
  );

  it('is named where nothing is built for it', () =>
    onChain('0.1.9', async (localnet) => {
      expect(await askOn(localnet, 'program_version')).toMatchObject({
        assumptionFallen: 'Nothing is built for 0.1.9',
      });
    }));
});

describe('the end of a flash loan of an account with a halted bank', () => {
  const halted = (localnet: OpenedLocalnet) => {
    enrich(localnet);
    halt(localnet, depositOf(localnet, 0).address);
  };

  it('passes at 0.1.10: the rule may be relaxed', () =>
    onChain('0.1.10', async (localnet) => {
      halted(localnet);
      expect(await askOn(localnet, 'end_flashloan_gate')).toMatchObject(RELAXED);
    }));

  it.each(['0.1.11', '0.1.12'] as const)('fails at %s: the rule stays', (version) =>
    onChain(version, async (localnet) => {
      halted(localnet);
      expect(await askOn(localnet, 'end_flashloan_gate')).toMatchObject({ answer: 'yes, with 6600', ...STRICT });
      expect(await askOn(localnet, 'end_flashloan_gate', failing(null))).toMatchObject(RELAXED);
    }),
  );

  it('is not asked where no bank is halted', () =>
    onChain('0.1.12', async (localnet) => {
      expect(await askOn(localnet, 'end_flashloan_gate')).toMatchObject({
        answer: expect.stringContaining('could not be asked: no account'),
        relaxes: null,
      });
    }));
});

describe('the start of an order’s execution with a halted bank', () => {
  it('is distinguished from what fails before it, and after it', () =>
    onChain('0.1.12', async (localnet) => {
      halt(localnet, depositOf(localnet, 0).address);
      const ask = (lie?: Lie) => askOn(localnet, 'order_start_gate', lie);
      expect(await ask()).toMatchObject({ answer: expect.stringContaining('no such instruction'), relaxes: null });
      expect(await ask(failing(0, CircuitBreakerPriceJump))).toMatchObject({ answer: 'yes, with 6604', ...STRICT });
      expect(await ask(failing(1, CircuitBreakerPriceJump))).toMatchObject({ answer: 'no: it starts', ...RELAXED });
      expect(await ask(failing(0, MARGINFI_ERRORS.OrderTriggerNotMet))).toMatchObject({ relaxes: null });
    }));
});

describe('collateral of a Paused bank', () => {
  it.each([
    ['0.1.10', RELAXED],
    ['0.1.11', RELAXED],
    ['0.1.12', STRICT],
  ] as const)('is what the program of %s makes of it', (version, expected) =>
    onChain(version, async (localnet) => {
      setState(localnet, depositOf(localnet, 0).address, 0);
      expect(await askOn(localnet, 'paused_collateral_zero_weight')).toMatchObject(expected);
    }),
  );
});

describe('an oracle_max_age of 0', () => {
  const zeroed = async (localnet: OpenedLocalnet) => {
    const { address } = depositOf(localnet, 0);
    editAccount(localnet.ledger, bankLayout, address, (one) => ({
      ...one,
      config: { ...one.config, oracleMaxAge: 0 },
    }));
    // No price is of this second any more.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
  };

  it.each([
    ['0.1.10', RELAXED],
    ['0.1.11', RELAXED],
    ['0.1.12', STRICT],
  ] as const)('is what the program of %s makes of it', (version, expected) =>
    onChain(version, async (localnet) => {
      await zeroed(localnet);
      expect(await askOn(localnet, 'zero_max_age_is_zero')).toMatchObject(expected);
    }),
  );
});

describe('bytes left over where a premium stands', () => {
  it('are none, or named', () =>
    onChain('0.1.12', async (localnet) => {
      expect(await askOn(localnet, 'balance_residual_bytes')).toMatchObject({ answer: 'no', ...RELAXED });
      const { address } = traderOf(localnet);
      editAccount(localnet.ledger, marginfiAccountLayout, address, (one) => ({
        ...one,
        lendingAccount: {
          ...one.lendingAccount,
          balances: one.lendingAccount.balances.map((each, nth) =>
            nth === 9 ? { ...each, premiumOutstanding: 5n } : each,
          ),
        },
      }));
      expect(await askOn(localnet, 'balance_residual_bytes')).toMatchObject({
        answer: `yes: 1, the first of ${address}`,
        ...STRICT,
      });
    }));
});

describe('the tag of an unhealthy account', () => {
  it('is cleared with the last debt, or stays', () =>
    onChain(
      '0.1.12',
      async (localnet) => {
        const debtor = accountsOf(localnet).find(({ balances }) => {
          const debts = balances.filter(isDebt);
          return (
            debts.length === 1 &&
            balances.length > 1 &&
            bankAt(localnet, debts[0]?.bank as Address).oracle.setup === 'PythPushOracle'
          );
        }) as P0Account;
        editAccount(localnet.ledger, marginfiAccountLayout, debtor.address, (one) => ({
          ...one,
          lendingAccount: {
            ...one.lendingAccount,
            balances: one.lendingAccount.balances.map((each) => ({
              ...each,
              liabilityShares: each.liabilityShares * 2n,
            })),
          },
        }));
        expect(await askOn(localnet, 'tag_cleared_on_last_repay')).toMatchObject({ answer: 'yes', ...RELAXED });
        const { offset } = placeOfField(marginfiAccountLayout, 'liquidationTaggedAt');
        const tagged = rewriting(debtor.address, (data) => data.fill(1, offset, offset + 1));
        expect(await askOn(localnet, 'tag_cleared_on_last_repay', tagged)).toMatchObject({
          answer: 'no: it still reads 1',
          ...STRICT,
        });
      },
      { isUsed: true },
    ));

  it('is not asked of a program without tags', () =>
    onChain('0.1.11', async (localnet) => {
      expect(await askOn(localnet, 'tag_cleared_on_last_repay')).toMatchObject({ answer: 'does not arise at 0.1.11' });
    }));
});

describe('a premium while a collateral has no price', () => {
  it('rises as is estimated, or the estimate has fallen', () =>
    onChain('0.1.12', async (localnet) => {
      enrich(localnet);
      makeStale(localnet, depositOf(localnet, 1));
      expect(await askOn(localnet, 'withdrawal_unpriced_only_up')).toMatchObject(RELAXED);
      const trader = traderOf(localnet);
      const { slot } = trader.balances.find(({ premium }) => premium.rate > 0) as P0Account['balances'][number];
      const { offset } = placeOfField(marginfiAccountLayout, `lendingAccount.balances.${slot}.premiumRateSnapshot`);
      const other = rewriting(trader.address, (data) => data.fill(7, offset, offset + 4));
      expect(await askOn(localnet, 'withdrawal_unpriced_only_up', other)).toMatchObject({
        relaxes: false,
        assumptionFallen: expect.stringContaining('a withdrawal sets the rate 117901063'),
      });
    }));

  it('fails a borrow although the collateral has no weight, or does not', () =>
    onChain('0.1.12', async (localnet) => {
      enrich(localnet);
      const stale = depositOf(localnet, 1);
      makeStale(localnet, stale);
      setState(localnet, stale.address, 2);
      expect(await askOn(localnet, 'stale_zero_weight_collateral')).toMatchObject({
        answer: 'yes: the borrow fails with 6615',
        ...STRICT,
      });
      expect(
        await askOn(localnet, 'stale_zero_weight_collateral', (answered) =>
          answered.value.err === null ? answered : failing(null)(answered),
        ),
      ).toMatchObject(RELAXED);
    }));
});

describe('the accounts that a rebalance reads', () => {
  it('are those of the later source, or fewer', () =>
    onChain(
      '0.1.12',
      async (localnet) => {
        const [order] = owned(localnet, rebalanceOrderLayout, ({ address }: { address: Address }) => address);
        editAccount(localnet.ledger, rebalanceOrderLayout, order as Address, (one) => ({
          ...one,
          lastExecTimestamp: 0n,
        }));
        const asked = await askOn(localnet, 'rebalance_reward_accounts');
        expect(asked).toMatchObject({ answer: 'those of the later source', ...RELAXED });
        let calls = 0;
        const fewer: Lie = (answered, [wire]) => {
          calls += 1;
          const error = calls === 1 ? WrongNumberOfOracleAccounts : RebalanceNotImproving;
          return failing(placeOfStart(wire as string), error)(answered);
        };
        expect(await askOn(localnet, 'rebalance_reward_accounts', fewer)).toMatchObject({
          answer: expect.stringContaining('fewer'),
          relaxes: false,
          assumptionFallen: expect.stringContaining('fewer accounts'),
        });
      },
      { isUsed: true },
    ));
});

/** Where the start stands, counted as `failing` counts: before the end, which is last. */
function placeOfStart(wire: string): number {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const count = message.version === 1 ? message.instructionHeaders.length : message.instructions.length;
  return count - 3;
}

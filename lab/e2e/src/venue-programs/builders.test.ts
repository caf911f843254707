import {
  createLiteSvmEngine,
  createModelEngine,
  type ExecutionResult,
  editAccount,
  type OpenedLocalnet,
  openLocalnet,
} from '@lending/localnet';
import {
  bankLayout,
  KLEND_PROGRAM,
  klendMarketLayout,
  klendReserveLayout,
  MARGINFI_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSameObligation } from './kamino-bridge.ts';
import { inOlderForms, WITHOUT_FEEDS, WITHOUT_REFRESH_TRIGGER } from './kamino-older-forms.ts';
import { withFields } from './venue.ts';
import { VenueBuilder } from './venue-builder.ts';

/** A folder of `<program id>.so`, for klend, Save and JupLend. */
const { VENUE_ELF_FOLDER: folder = '' } = process.env;
const isMissing = folder === '';
/** On the demo market, at most. */
const TOKENS_PER_CTOKEN = 2n;

/**
 * What the builders make on the local chain, one program further: each venue's own program gets the very instructions and calls that
 * our models of it and of the lending program executed. The lending program itself is the model here, since none that is public calls venues.
 */
describe.skipIf(isMissing)('what the builders ask of the venues’ own programs (needs VENUE_ELF_FOLDER)', async () => {
  const elf = isMissing ? createModelEngine() : await createLiteSvmEngine({ folder });
  let localnet: OpenedLocalnet;
  let builder: VenueBuilder;

  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
    await localnet.start();
    builder = new VenueBuilder(localnet, createModelEngine());
    for (const { mint } of banksOf('kamino', 'solend', 'juplend')) await builder.endow(mint);
  });
  afterAll(() => localnet.stop());

  it.each(['juplend', 'solend'] as const)(
    '%s takes deposits and withdrawals as the model does, to the byte',
    async (venue) => {
      const banks = banksOf(venue);
      expect(banks.length).toBeGreaterThan(1);
      for (const bank of banks) {
        for (const [kind, amount] of [
          ['deposit', 1_000_000n],
          ['withdraw', 400_000n],
          ['withdraw', 'all'],
        ] as const) {
          const { result, direct } = await builder.build(bank, kind, amount);
          expect(result.error, result.logs.join('\n')).toBeNull();
          const own = builder.run(elf, direct);
          expect(own.error, own.logs.join('\n')).toBeNull();
          expect(differences(own, result), `${kind} ${bank.address}`).toEqual([]);
          builder.keep(result.writes);
        }
      }
    },
  );

  it('klend takes refreshes, deposits and withdrawals as the model does, in the forms it knows', async () => {
    forgetFeeds();
    const banks = banksOf('kamino');
    expect(banks.length).toBeGreaterThan(1);
    for (const bank of banks) {
      for (const [kind, amount] of [
        ['deposit', 1_000_000n],
        ['withdraw', 400_000n],
        ['withdraw', 'all'],
      ] as const) {
        const { result, refresh, direct } = await builder.build(bank, kind, amount);
        expect(result.error, result.logs.join('\n')).toBeNull();
        const refreshed = builder.run(elf, refresh);
        expect(refreshed.error, refreshed.logs.join('\n')).toBeNull();
        expect(differences(refreshed, builder.runModel(refresh)), `before ${kind} ${bank.address}`).toEqual([]);
        const own = builder.run(elf, inOlderForms(direct));
        expect(own.error, own.logs.join('\n')).toBeNull();
        expect(differences(own, result), `${kind} ${bank.address}`).toEqual([]);
        builder.keep(result.writes);
      }
    }
  });

  /** The public klend reads none of the feeds that are still published. */
  function forgetFeeds(): void {
    const { ledger } = localnet;
    for (const [address, { data }] of ledger.accountsOwnedBy(KLEND_PROGRAM, 'processed')) {
      const isOf = ({ discriminator }: { readonly discriminator: Uint8Array }) =>
        discriminator.every((byte, index) => data[index] === byte);
      if (isOf(klendReserveLayout)) {
        editAccount(ledger, klendReserveLayout, address, (reserve) => withFields(reserve, WITHOUT_FEEDS));
      } else if (isOf(klendMarketLayout)) {
        editAccount(ledger, klendMarketLayout, address, (market) => withFields(market, WITHOUT_REFRESH_TRIGGER));
      }
    }
    builder.keep(new Map());
  }

  /** Banks that anybody can lend to, in tokens of the plain token program. */
  function banksOf(...venues: readonly P0Bank['venue'][]): readonly P0Bank[] {
    const { ledger } = localnet;
    return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed')]
      .filter(([, { data }]) => bankLayout.discriminator.every((byte, index) => data[index] === byte))
      .map(([address, { owner, data }]) => decodeBank({ address, owner, data }, MARGINFI_PROGRAM))
      .filter(({ venue, operationalState, mint }) => {
        const isPlain = mint !== WRAPPED_SOL_MINT && ledger.account(mint)?.owner === TOKEN_PROGRAM;
        return venues.includes(venue) && operationalState === 'Operational' && isPlain;
      });
  }

  /** Accounts that the venue's program left otherwise than the model. The payer pays for other signatures. */
  function differences(own: ExecutionResult, model: ExecutionResult): readonly string[] {
    const [payer] = own.accountKeys;
    const after = (result: ExecutionResult, address: Address) =>
      result.writes.has(address) ? result.writes.get(address) : localnet.ledger.account(address, 'confirmed');
    const isOfVenue = (address: Address) => address !== payer && after(model, address)?.owner !== MARGINFI_PROGRAM;
    return [...new Set([...own.writes.keys(), ...model.writes.keys()])].filter(isOfVenue).filter((address) => {
      const [left, right] = [after(own, address), after(model, address)];
      if (left === undefined || right === undefined) return left !== right;
      const isSame = left.owner === right.owner && left.lamports === right.lamports;
      if (isSame && isSameObligation(left.data, right.data, TOKENS_PER_CTOKEN)) return false;
      return !isSame || Buffer.compare(left.data, right.data) !== 0;
    });
  }
});

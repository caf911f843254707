import {
  bankContent,
  CHAIN_SECONDS,
  createFakeChain,
  type FakeChain,
  MINT,
  metadataContent,
  mintContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { findMetadataOfBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { readBankDescriptions } from './read-bank-descriptions.ts';

const [BANK, OTHER] = [bankAddress(1), bankAddress(2)];
const { signal } = new AbortController();

async function read(fake: FakeChain, ...banks: (typeof BANK)[]) {
  return readBankDescriptions({ chain: fake.chain, program: MARGINFI_PROGRAM }, banks, signal);
}

async function marketOf(bank: typeof BANK): Promise<{ fake: FakeChain; metadata: typeof BANK }> {
  const fake = createFakeChain();
  const metadata = await findMetadataOfBank(bank, MARGINFI_PROGRAM);
  fake.accounts.set(bank, bankContent()).set(MINT, mintContent()).set(metadata, metadataContent(bank, 'WEN | Wen'));
  return { fake, metadata };
}

const described = (fields: object) => ({ result: { kind: 'described', description: fields } });

describe('readBankDescriptions', () => {
  it('reads bank, mint and metadata in one call, and says the slot and time of that call', async () => {
    const { fake, metadata } = await marketOf(BANK);
    const [one] = await read(fake, BANK);
    expect(one).toMatchObject(described({ bank: BANK, symbol: 'WEN', tokenProgram: 'spl' }));
    expect(fake.asked).toEqual([[BANK], [BANK, metadata, MINT]]);
    expect(one).toMatchObject({ bank: BANK, slot: fake.slot, unixTimestamp: CHAIN_SECONDS });
  });

  it('tells a Token-2022 mint, and says null for one that is missing', async () => {
    const { fake } = await marketOf(BANK);
    fake.accounts.set(MINT, mintContent('token_2022'));
    expect(await read(fake, BANK)).toMatchObject([described({ tokenProgram: 'token_2022' })]);
    fake.accounts.delete(MINT);
    expect(await read(fake, BANK)).toMatchObject([described({ tokenProgram: null })]);
  });

  it('takes metadata that is missing, cut short or not its own for none', async () => {
    const { fake, metadata } = await marketOf(BANK);
    const real = metadataContent(BANK, 'WEN');
    const unreadable = [
      { ...real, data: real.data.subarray(0, 100) },
      { ...real, owner: OTHER },
      { ...real, data: new Uint8Array(504) },
      metadataContent(OTHER, 'WEN'),
    ];
    for (const content of unreadable) {
      fake.accounts.set(metadata, content);
      expect(await read(fake, BANK)).toMatchObject([described({ symbol: null })]);
    }
    fake.accounts.delete(metadata);
    expect(await read(fake, BANK)).toMatchObject([described({ symbol: null })]);
  });

  it('answers in the order asked, and rejects the unreadable beside the readable', async () => {
    const { fake } = await marketOf(BANK);
    const { owner, data } = bankContent();
    const [gone, short, foreign, wrong] = [3, 4, 5, 6].map(bankAddress) as [
      typeof BANK,
      typeof BANK,
      typeof BANK,
      typeof BANK,
    ];
    fake.accounts.set(short, { owner, data: data.subarray(0, 1000) });
    fake.accounts.set(foreign, { owner: OTHER, data });
    fake.accounts.set(wrong, bankContent({ mintDecimals: 24 }));
    const rejected = (reason: string, detail: string) => ({
      result: { kind: 'rejected', reason, detail: expect.stringMatching(detail) },
    });
    expect(await read(fake, gone, short, BANK, foreign, wrong)).toMatchObject([
      { bank: gone, ...rejected('account_gone', '^the account is gone$') },
      {
        bank: short,
        ...rejected('account_malformed', '^DECODE__ACCOUNT_MALFORMED: .* has 1000 bytes, expected at least 1864'),
      },
      { bank: BANK, ...described({ bank: BANK }) },
      { bank: foreign, ...rejected('owner_mismatch', '^DECODE__OWNER_MISMATCH: ') },
      { bank: wrong, ...rejected('value_out_of_range', '^DECODE__VALUE_OUT_OF_RANGE: .*mint_decimals 24') },
    ]);
  });

  it('has not finished a bank that only the second reading could read: its mint was not asked for', async () => {
    const { fake } = await marketOf(BANK);
    fake.accounts.delete(BANK);
    fake.onRead = () => {
      if (fake.reads.length === 2) fake.accounts.set(BANK, bankContent());
    };
    expect(await read(fake, BANK)).toMatchObject([{ result: { kind: 'unfinished' } }]);
    expect(await read(fake, BANK)).toMatchObject([described({ tokenProgram: 'spl' })]);
  });

  it('believes the second reading of a bank that changes between the two', async () => {
    const { fake } = await marketOf(BANK);
    fake.onRead = () => {
      if (fake.reads.length === 2) fake.accounts.delete(BANK);
    };
    expect(await read(fake, BANK)).toMatchObject([{ result: { kind: 'rejected', reason: 'account_gone' } }]);
  });
});

import {
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';

/** As `getTransaction` answers with base64. */
export interface AnsweredTransaction {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly version: unknown;
  readonly transaction: readonly [string, string];
  readonly meta: unknown;
}

/** A transaction in the form of the fixtures, and what is to be found in it: as its message says, and not as anything of ours reads it. */
export function toFixture({ slot, blockTime, version, transaction, meta }: AnsweredTransaction) {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const base58 = getBase58Decoder();
  const calls =
    message.version === 1
      ? message.instructionHeaders.map(({ programAccountIndex }, nth) => ({
          programIndex: programAccountIndex,
          data: message.instructionPayloads[nth]?.instructionData,
        }))
      : message.instructions.map(({ programAddressIndex, data }) => ({ programIndex: programAddressIndex, data }));
  const [feePayer = ''] = message.staticAccounts;
  return {
    fixture: {
      ...{ version, slot, blockTime },
      transaction: {
        signatures: Object.values(signatures).map((each) => (each === null ? '1'.repeat(64) : base58.decode(each))),
        message: { accountKeys: message.staticAccounts, header: message.header },
      },
      ...{ meta, raw: transaction },
      source: `slot ${slot}`,
      note: 'Recorded by npm run smoke --record.',
    },
    expected: {
      decoder: '@solana/kit',
      feePayer,
      accountKeyCount: message.staticAccounts.length,
      instructions: calls.map(({ programIndex, data }, index) => ({
        ...{ index, program: null, programId: message.staticAccounts[programIndex] ?? null },
        dataHex: Buffer.from(data ?? []).toString('hex'),
      })),
    },
  };
}

import { describeSettings } from '@lending/runtime';
import { expect, it } from 'vitest';
import { indexerSettings } from './config.ts';

it('marks the address and the token of a Yellowstone stream as secrets, which no line of the log shows', () => {
  const secrets = describeSettings(indexerSettings).filter(({ secret }) => secret);
  expect(secrets.map(({ name }) => name).toSorted()).toEqual(['SOLANA_GRPC_TOKEN', 'SOLANA_GRPC_URL']);
});

import { FIRST_ACCOUNT_EVENTS, isFirstAccountEvent } from '@lending/programs';

/**
 * Fields of an event as the program's first builds wrote it, in today's shape: who signed was the authority, and shares were not told.
 * @returns null for events of later builds, and for those the first ones did not have.
 */
export function firstEventFields(name: string, bytes: Uint8Array): object | null {
  const codec = FIRST_ACCOUNT_EVENTS[name as keyof typeof FIRST_ACCOUNT_EVENTS];
  if (codec === undefined || !isFirstAccountEvent(bytes)) return null;
  const { header, ...fields } = codec.decode(bytes, 8);
  const { version: _, ...keys } = header;
  const full = { ...keys, marginfiAccountAuthority: keys.signer };
  return 'amount' in fields ? { header: full, ...fields, shareAmount: null } : { header: full };
}

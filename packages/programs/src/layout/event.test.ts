import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { marginfiAccountCreateEvent, marginfiAccountFreezeEvent } from '../marginfi/events.ts';
import { decodeEvent, encodeEvent, isEventOf } from './event.ts';

const someone = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const header = { signer: someone, marginfiAccount: someone, marginfiAccountAuthority: someone, marginfiGroup: someone };

describe('an event', () => {
  it('is told from another by its first eight bytes', () => {
    const bytes = encodeEvent(marginfiAccountFreezeEvent, { header, frozen: true });
    expect(isEventOf(marginfiAccountFreezeEvent, bytes)).toBe(true);
    expect(isEventOf(marginfiAccountCreateEvent, bytes)).toBe(false);
    expect(isEventOf(marginfiAccountFreezeEvent, bytes.subarray(0, 7))).toBe(false);
  });

  it('comes back as it was written, whatever a newer program appends', () => {
    const bytes = encodeEvent(marginfiAccountFreezeEvent, { header: { ...header, signer: null }, frozen: true });
    expect(bytes).toHaveLength(8 + 97 + 1);
    const longer = Uint8Array.from([...bytes, 1, 2, 3]);
    expect(decodeEvent(marginfiAccountFreezeEvent, longer)).toEqual({
      header: { ...header, signer: null },
      frozen: true,
    });
  });
});

import type { Venue } from '@lending/domain';
import { address } from '@solana/kit';
import type { Subject } from './read-history.ts';

/** Whose history is looked at. */
export interface HistorySubject {
  readonly subject: Subject;
  readonly address: string;
  readonly venue: Venue;
}

export const KAMINO_RESERVE = address('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');
/** A bank of P0 stands on each. */
export const SAVE_RESERVES = [
  address('BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw'),
  address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36'),
  address('8K9WC8xoh2rtQNY7iEGXtPvfbDCi563SdWhCAhuMP2xE'),
] as const;

export const bankOf = (bank: string, venue: Venue): HistorySubject => ({
  subject: `banks/${bank}`,
  address: bank,
  venue,
});
export const reserveOf = (reserve: string, venue: Venue): HistorySubject => ({
  subject: `reserves/${reserve}`,
  address: reserve,
  venue,
});

export const P0_BANK = bankOf('CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh', 'p0');
export const KAMINO_BANK = bankOf('27Cpv49jQ3hav8zF3qZjp7T78ATdUTZN4m9x389Z8uH4', 'kamino');
export const SAVE_BANKS = [
  '8Ygb6DGeBP12umpm98iuSQPXoJTaViM8g2qgo8SNmijR',
  'BJAbLwcXBuH7Kis6uhsg5Gux7Me6wXR8DEKjb8tMgzVJ',
  '7Q6GU9RsPfrAo68xPpHTFxaLYAsBRqTEfV6tfEJsiQsQ',
].map((bank) => bankOf(bank, 'solend'));
export const UNREACHED_RESERVE = reserveOf('Atj6UREVWa7WxbF2EMKNyfmYUY1U1txughe2gjhcPDCo', 'kamino');

/** One of each kind: a bank of P0's own, one whose tokens earn at a venue, a reserve that nobody at P0 reaches. */
export const SUBJECTS = [P0_BANK, KAMINO_BANK, UNREACHED_RESERVE] as const;

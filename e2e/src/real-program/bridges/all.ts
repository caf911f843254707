/** Every bridge of this suite, most by the name of their file, and the difference it bridges. */
export const BRIDGES: Readonly<Record<string, string>> = {
  'derived-account': 'the ELF cannot create an account at a derived address: its bytes are written',
  'flash-loan-end': 'the ELF accepts the end of a flash loan that was not started',
  'health-account-order': 'the ELF wants health accounts in slot order, today they are sorted by bank',
  'shorter-lists': 'the ELF knows no group at the end of a flash loan, and no pool of fees of a closed account',
  'sorted-balances': 'the ELF leaves balances in their slots, today they are kept sorted',
  'writable-vault-authority': 'the ELF wants the vault authority writable',
  'error-names': 'errors have other numbers, and some other names',
  'feed-id':
    'an oracle key is a Pyth feed id in the ELF and a feed account today: the feeds of the market have their own address as id',
  'switchboard-interval':
    'the ELF takes the interval of every Switchboard price for five per cent: the bank of the market asks for as much as there is, which is that',
  'swap-by-transfers':
    'no aggregator runs beside the ELF: a swap is a transfer to a pool, and one back that the taker signs as the delegate of its account',
  'seven-point-curve':
    'the ELF reads the legacy curve, today’s program the seven points: a bank has both, with equal corners',
};

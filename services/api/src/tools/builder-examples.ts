/** What the examples name: a borrower of the demo market, which runs where no node is configured, and two of its banks. */
export const EXAMPLE_WALLET = 'BDAmyKyWsQVMFRM2ccKGxiyG65FbWYSexFGtMzBx7QKe';
export const EXAMPLE_ACCOUNT = '2j38VZ1dXWgXBsReNkiar558iL65LSAbMWNaCTkWNXHk';
export const EXAMPLE_USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
export const EXAMPLE_SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
export const EXAMPLE_RESERVE = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59';

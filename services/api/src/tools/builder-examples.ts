/** What the examples of builders name: addresses of the demo market, which runs where no node is configured. */
export const EXAMPLE_WALLET = 'BPFLoaderUpgradeab1e11111111111111111111111';
export const EXAMPLE_ACCOUNT = 'Config1111111111111111111111111111111111111';
export const EXAMPLE_USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
export const EXAMPLE_SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';

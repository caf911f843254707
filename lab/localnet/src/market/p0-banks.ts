import { cornerCurve, type DemoBank, emodeEntry, p0Bank } from './demo-bank.ts';

/** What the dollars of the main group have in common. */
const DOLLAR = {
  weights: ['1', '1', '1.1', '1.05'],
  curve: cornerCurve(90, 7.5, 64.185),
  fees: ['0', '0.0001', '0'],
  emodeTag: 57481,
  emode: [emodeEntry(619, '0.94', '0.99'), emodeEntry(871, '0.87', '0.92')],
} as const;

/** What the staked SOL of large pools has in common. */
const STAKED_SOL = {
  oracleSetup: 'SwitchboardPull',
  oracleMaxAgeSeconds: 70,
  weights: ['0.65', '0.8', '1.3', '1.2'],
  curve: cornerCurve(80, 10, 125),
  fees: ['0', '0.01', '0.135'],
  emodeTag: 1571,
  emode: [
    emodeEntry(501, '0.9', '0.95'),
    emodeEntry(1571, '0.88', '0.93'),
    emodeEntry(1572, '0.8', '0.85'),
    emodeEntry(15787, '0.8', '0.85'),
  ],
} as const;

/**
 * P0's own banks of the demo market at mainnet addresses, with parameters and totals of the main group as decoded on
 * 2026-04-04 14:53 UTC (public dump of the operators' scripts); USDC, PYUSD and cbBTC are not in that dump, see each.
 * Three-number curves are written as the seven-point curves with the same corner, as program 0.1.9 requires.
 */
export const P0_BANKS: readonly DemoBank[] = [
  p0Bank('USDC', '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB', {
    // Identity, weights, oracle and e-mode tag from mainnet; this bank is missing from the dump of totals, so limits, totals and
    // share values are round figures of ours, with USDT's curve and e-mode list.
    ...DOLLAR,
    limits: [400_000_000_000_000n, 200_000_000_000_000n, 400_000_000n],
    shares: ['1.1784', '1.3912', '18160000000000.25', '10490000000000.75'],
    feesOutstanding: ['9820.5', '412000000.25'],
    positions: [-9120, -1240],
    premium: { tag: 'stable', isActive: false },
  }),
  p0Bank('SOL', 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh', {
    oracleSetup: 'SwitchboardPull',
    oracleMaxAgeSeconds: 70,
    assetTag: 1,
    weights: ['0.8', '0.9', '1.14', '1.1'],
    limits: [2_000_000_000_000_000n, 500_000_000_000_000n, 227_400_000n],
    curve: cornerCurve(90, 7.5, 37.155),
    fees: ['0', '0.0001', '0'],
    emodeTag: 501,
    emode: [
      emodeEntry(501, '0.95', '0.99'),
      emodeEntry(619, '0.85', '0.92'),
      emodeEntry(1571, '1.046', '1.051'),
      emodeEntry(1572, '0.992', '0.999'),
      emodeEntry(15787, '0.85', '0.95'),
    ],
    shares: ['1.0600886543290677', '1.1960804552054576', '97845239967011.11', '58542057135699.35'],
    feesOutstanding: ['44790.35359765561', '5919688516.853352'],
    positions: [-4949, -575],
  }),
  p0Bank('USDT', 'HmpMfL8942u22htC4EMiWgLX931g3sacXFR6KjuLgKLV', {
    ...DOLLAR,
    limits: [100_000_000_000_000n, 50_000_000_000_000n, 101_000_000n],
    shares: ['1.190253181183131', '1.450832176934938', '3696072140363.103', '2011383592825.6104'],
    feesOutstanding: ['15113.088180790923', '206701868.7233689'],
    positions: [-1328, -706],
    premium: { tag: 'stable', isActive: true },
  }),
  p0Bank('USDS', 'FDsf8sj6SoV313qrA91yms3u5b3P4hBxEPvanVs8LtJV', {
    ...DOLLAR,
    weights: ['0.9', '0.95', '1.1', '1.05'],
    limits: [25_000_000_000_000n, 4_500_000_000_000n, 0n],
    fees: ['0', '0.000001', '0'],
    shares: ['1.069151526308623', '1.1234534820515805', '1226928751437.9617', '829810030126.3706'],
    feesOutstanding: ['4896.485382597566', '895379.3507740926'],
    positions: [82, 41],
    premium: { tag: 'stable', isActive: true },
    breaker: { tiersBps: [100, 300, 1_000], tierSeconds: [120, 900, 3_600] },
  }),
  p0Bank('PYUSD', '8UEiPmgZHXXEDrqLS3oiTxQxTbeYTtPbeMBxAd2XGbpu', {
    // Weights and oracle from mainnet; fee rates and corner of the curve from this bank's dump of 2024-08. Limits and totals are
    // round figures of ours.
    seed: 0n,
    weights: ['0.9', '0.95', '1.1', '1.05'],
    limits: [40_000_000_000_000n, 15_000_000_000_000n, 40_000_000n],
    shares: ['1.0612', '1.1145', '2520000000000.5', '1390000000000.25'],
    feesOutstanding: ['3459.5', '98000000.75'],
    positions: [64, 31],
    premium: { tag: 'stable', isActive: true },
    isSameAssetEligible: true,
  }),
  p0Bank('JitoSOL', 'Bohoc1ikHLD7xKJuzTyiTyCwzaL5N7ggJQu75A8mKYM8', {
    ...STAKED_SOL,
    weights: ['0.75', '0.85', '1.3', '1.2'],
    limits: [2_000_000_000_000_000n, 500_000_000_000_000n, 246_552_000n],
    shares: ['1.001944488425213', '1.0481780953414948', '78128785986547.81', '7545347250528.315'],
    feesOutstanding: ['10168.585997799632', '45329803459.7955'],
    positions: [-490, -803],
  }),
  p0Bank('mSOL', '22DcjMZrMwC5Bpa5AGBsmjc5V9VuQrXG6N9ZtdUNyYGE', {
    ...STAKED_SOL,
    limits: [2_000_000_000_000_000n, 500_000_000_000_000n, 264_336_000n],
    shares: ['1.003720062227913', '1.0598606936897035', '45466392691574.03', '4865842042852.4375'],
    feesOutstanding: ['4360.754539934768', '28583108576.873413'],
    positions: [-740, -1986],
  }),
  p0Bank('JupSOL', '8LaUZadNqtzuCG7iCvZd7d5cbquuYfv19KjAg6GPuuCb', {
    ...STAKED_SOL,
    oracleMaxAgeSeconds: 180,
    limits: [100_000_000_000_000n, 15_000_000_000_000n, 0n],
    shares: ['1.0001684370559047', '1.0240705326249682', '49569004062705.19', '339549084610.07166'],
    feesOutstanding: ['1558.8385820952565', '1678525053.0972252'],
    positions: [-108, -13],
  }),
  p0Bank('INF', 'AwLRW3aPMMftXEjgWhTkYwM9CGBHdtKecvahCJZBwAqY', {
    oracleSetup: 'SwitchboardPull',
    oracleMaxAgeSeconds: 180,
    weights: ['0.65', '0.8', '1.3', '1.2'],
    limits: [150_000_000_000_000n, 25_000_000_000_000n, 0n],
    fees: ['0', '0.01', '0.135'],
    emodeTag: 1572,
    emode: [
      emodeEntry(501, '0.85', '0.95'),
      emodeEntry(1571, '0.85', '0.9'),
      emodeEntry(1572, '0.75', '0.85'),
      emodeEntry(15787, '0.75', '0.85'),
    ],
    shares: ['1.0001293625332224', '1.0226356799755045', '14936838969236.139', '36423739394.56545'],
    feesOutstanding: ['785.0811747095954', '273130118.3769064'],
    positions: [-406, -14],
  }),
  p0Bank('cbBTC', 'Ac4KV5K5isDqtABtg6h5DiwzZMe3Sp9bc3pBiCUvUpaQ', {
    // Weights and e-mode tag from mainnet; the feed is the asset's own Pyth push account. Limits, curve and totals are round
    // figures of ours beside those of the other bitcoin and ether banks.
    seed: 0n,
    weights: ['0.82', '0.87', '1.15', '1.05'],
    limits: [150_000_000_000n, 30_000_000_000n, 100_000_000n],
    emodeTag: 871,
    shares: ['1.00214', '1.02871', '21040000000.5', '3910000000.25'],
    feesOutstanding: ['120.5', '4100000.25'],
    positions: [212, 47],
    premium: { tag: 'wrapped', isActive: false },
  }),
  p0Bank('WETH', 'BkUyfXjbBBALcfZvw76WAFRvYQ21xxMWWeoPtJrUqG3z', {
    feed: 'ETH',
    weights: ['0.5', '0.65', '1.85', '1.6'],
    limits: [500_000_000_000n, 10_000_000_000n, 7_558_040n],
    shares: ['1.010672560911221', '1.0813560318200146', '52546048988.02642', '7924143947.770017'],
    feesOutstanding: ['683.7666007874084', '42782474.42169296'],
    positions: [-50, -29],
    premium: { tag: 'wrapped', isActive: false },
  }),
  p0Bank('BONK', 'DeyH7QxWvnbbaVB4zFrf4hoq7Q8z1ZT14co42BGwGtfM', {
    oracleMaxAgeSeconds: 120,
    weights: ['0.5', '0.65', '1.3', '1.2'],
    limits: [82_000_000_000_000_000n, 300_000_000_000_000n, 20_000_000n],
    curve: cornerCurve(80, 30, 300),
    fees: ['0', '0.01', '0.135'],
    shares: ['1.0001818132845628', '1.033480402717359', '63545669285670296', '237457479356182.78'],
    feesOutstanding: ['4820.881115981238', '806891227864.5477'],
    positions: [-522, -89],
    premium: { tag: 'longTail', isActive: true },
  }),
  p0Bank('JUP', 'Guu5uBc8k1WK1U2ihGosNaCy57LSgCkpWAabtzQqrQf8', {
    weights: ['0.5', '0.65', '2.5', '1.5'],
    limits: [15_000_000_000_000n, 100_000_000_000n, 8_000_000n],
    shares: ['1.000023922717137', '1.0254100309020338', '5317387413327.404', '94467021155.45831'],
    feesOutstanding: ['4396.550267799894', '451668490.42793274'],
    positions: [-241, -28],
    premium: { tag: 'longTail', isActive: false },
  }),
  p0Bank('JLP', 'Amtw3n7GZe5SWmyhMhaFhDTi39zbTkLeWErBsmZXwpDa', {
    weights: ['0.5', '0.65', '1.3', '1.2'],
    limits: [1_500_000_000_000n, 600_000_000_000n, 0n],
    fees: ['0', '0.01', '0.135'],
    emodeTag: 619,
    shares: ['1.0016676160630027', '1.0391310608421094', '379603486023.7481', '12275878958.782278'],
    feesOutstanding: ['822.4042059963754', '224943796.99697027'],
    positions: [-76, -75],
  }),
  p0Bank('2Z', 'CcVpzLenPRWGB8q3pB9kcNma1bp4SdPjJk9wmW5tMvPp', {
    oracleSetup: 'SwitchboardPull',
    oracleMaxAgeSeconds: 70,
    weights: ['0.4', '0.5', '1.6', '1.42'],
    limits: [300_000_000_000_000n, 30_000_000_000_000n, 1_000_000n],
    curve: cornerCurve(50, 10, 300),
    shares: ['1.0125650395467858', '1.0202422515212142', '7094070053912.665', '3680150926662.185'],
    feesOutstanding: ['18.19178582260152', '5740054813.803755'],
    positions: [6, 4],
  }),
  p0Bank('ORCA', '3Hd1VzDCd8xEzcqj6CHqqjeKdzKQPMczGnkSbpaubf3W', {
    riskTier: 'Isolated',
    weights: ['0', '0', '2.5', '1.5'],
    limits: [377_358_000_000n, 10_000_000_000n, 0n],
    shares: ['1.1395359872840594', '1.185581859375187', '8513393192.240507', '162777561.82592192'],
    feesOutstanding: ['44.231538847877836', '68792528.02032314'],
    positions: [-50, -10],
  }),
];

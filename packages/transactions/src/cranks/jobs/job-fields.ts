/**
 * The messages that a feed's jobs are made of, each field as `name:number:type`, a list with `[]`, `enum` one of `JOB_ENUMS`. Oracles are
 * sent jobs as protobuf and crossbar tells them as JSON, so whoever stands between needs the numbers.
 * @see Switchboard's oracle_job.proto, as `@switchboard-xyz/common` 5.8.2 has it
 */
export const JOB_MESSAGES: Readonly<Record<string, string>> = {
  OracleJob: 'tasks:1:Task[] weight:2:uint32',
  HttpTask: 'url:1:string method:2:enum headers:3:HttpTask.Header[] body:4:string',
  'HttpTask.Header': 'key:1:string value:2:string',
  JsonParseTask: 'path:1:string aggregationMethod:2:enum',
  MedianTask: 'tasks:1:Task[] jobs:2:OracleJob[] minSuccessfulRequired:3:int32 maxRangePercent:4:string',
  MeanTask: 'tasks:1:Task[] jobs:2:OracleJob[]',
  MaxTask: 'tasks:1:Task[] jobs:2:OracleJob[]',
  MinTask: 'tasks:1:Task[] jobs:2:OracleJob[]',
  ValueTask: 'value:1:double aggregatorPubkey:2:string big:3:string hex:4:string utf8:5:string',
  ConditionalTask: 'attempt:1:Task[] onFailure:2:Task[]',
  DivideTask: 'scalar:1:double aggregatorPubkey:2:string job:3:OracleJob big:4:string',
  MultiplyTask: 'scalar:1:double aggregatorPubkey:2:string job:3:OracleJob big:4:string',
  AddTask: 'scalar:1:double aggregatorPubkey:2:string job:3:OracleJob big:4:string',
  SubtractTask: 'scalar:1:double aggregatorPubkey:2:string job:3:OracleJob big:4:string',
  LpTokenPriceTask: `
    mercurialPoolAddress:1:string saberPoolAddress:2:string orcaPoolAddress:3:string raydiumPoolAddress:4:string
    priceFeedAddresses:5:string[] priceFeedJobs:6:OracleJob[] useFairPrice:7:bool`,
  LpExchangeRateTask: `
    inTokenAddress:1:string outTokenAddress:2:string mercurialPoolAddress:3:string saberPoolAddress:4:string
    orcaPoolTokenMintAddress:5:string raydiumPoolAddress:6:string orcaPoolAddress:7:string
    portReserveAddress:8:string chain:9:enum defitunaPoolAddress:10:string`,
  RegexExtractTask: 'pattern:1:string groupNumber:2:int32',
  XStepPriceTask: 'stepJob:1:MedianTask stepAggregatorPubkey:2:string',
  SurgeTwapTask: 'symbol:1:string timeInterval:2:enum',
  SerumSwapTask: 'serumPoolAddress:1:string',
  PowTask: 'scalar:1:double aggregatorPubkey:2:string big:3:string',
  LendingRateTask: 'protocol:1:string assetMint:2:string field:3:enum',
  JupiterSwapTask: `
    inTokenAddress:1:string outTokenAddress:2:string baseAmount:3:double allowList:4:JupiterSwapTask.FilterList
    denyList:5:JupiterSwapTask.FilterList quoteAmount:6:double baseAmountString:7:string quoteAmountString:8:string
    slippage:9:double version:10:enum directRoutesOnly:11:bool apiKey:12:string`,
  'JupiterSwapTask.FilterList': 'labels:1:string[]',
  TitanTask: `
    inTokenAddress:1:string outTokenAddress:2:string amount:3:string userPublicKey:4:string swapMode:5:enum
    slippageBps:6:uint32 dexes:7:TitanTask.FilterList excludeDexes:8:TitanTask.FilterList onlyDirectRoutes:9:bool
    providers:10:string[] accessToken:11:string apiEndpoint:12:string`,
  'TitanTask.FilterList': 'labels:1:string[]',
  KuruTask: `
    userAddress:1:string tokenIn:2:string tokenOut:3:string amount:4:string autoSlippage:5:bool
    slippageTolerance:6:uint32 referrerAddress:7:string referrerFeeBps:8:uint32 inputDecimals:9:uint32
    outputDecimals:10:uint32 apiKey:11:string bearerToken:12:string apiEndpoint:13:string`,
  MaceTask: `
    fromAddress:1:string tokenIn:2:string tokenOut:3:string amount:4:string slippageToleranceBps:5:uint32
    gasPriceWei:6:string maxRoutes:7:uint32 inputDecimals:8:uint32 outputDecimals:9:uint32 apiKey:10:string
    apiEndpoint:11:string`,
  HyloTask: 'token:1:enum',
  PerpMarketTask:
    'mangoMarketAddress:1:string driftMarketAddress:2:string zetaMarketAddress:3:string zoMarketAddress:4:string',
  OracleTask: `
    switchboardAddress:1:string pythAddress:2:string chainlinkAddress:3:string
    pythAllowedConfidenceInterval:4:double chainlinkConfigs:5:OracleTask.ChainlinkConfigs
    pythConfigs:6:OracleTask.PythConfigs edgeId:7:string redstoneId:8:string
    switchboardConfigs:9:OracleTask.SwitchboardConfigs edgeConfigs:10:OracleTask.EdgeConfigs
    redstoneConfigs:11:OracleTask.RedstoneConfigs`,
  'OracleTask.ChainlinkConfigs': 'provider:1:string',
  'OracleTask.PythConfigs': 'hermesUrl:1:string pythAllowedConfidenceInterval:2:double maxStaleSeconds:3:int32',
  'OracleTask.SwitchboardConfigs': 'version:1:int32 jobs:2:OracleJob[]',
  'OracleTask.EdgeConfigs': '',
  'OracleTask.RedstoneConfigs': '',
  AnchorFetchTask: 'programId:1:string accountAddress:2:string',
  SplStakePoolTask: 'pubkey:1:string',
  SplTokenParseTask: 'tokenAccountAddress:1:string mintAddress:2:string',
  UniswapExchangeRateTask: `
    inTokenAddress:1:string outTokenAddress:2:string inTokenAmount:3:double slippage:4:double provider:5:string
    version:6:enum routerAddress:7:string factoryAddress:8:string quoterAddress:9:string`,
  SushiswapExchangeRateTask:
    'inTokenAddress:1:string outTokenAddress:2:string inTokenAmount:3:double slippage:4:double provider:5:string',
  PancakeswapExchangeRateTask:
    'inTokenAddress:1:string outTokenAddress:2:string inTokenAmount:3:double slippage:4:double provider:5:string',
  CacheTask: 'cacheItems:1:CacheTask.CacheItem[]',
  'CacheTask.CacheItem': 'variableName:1:string job:2:OracleJob',
  SysclockOffsetTask: '',
  MarinadeStateTask: '',
  SolanaAccountDataFetchTask: 'pubkey:1:string network:2:enum',
  CronParseTask: 'cronPattern:1:string clockOffset:2:int32 clock:3:enum',
  BufferLayoutParseTask: 'offset:1:uint32 endian:2:enum type:3:enum',
  ComparisonTask: `
    op:1:enum lhs:2:OracleJob lhsValue:3:string rhs:4:OracleJob rhsValue:5:string onTrue:6:OracleJob
    onTrueValue:7:string onFalse:8:OracleJob onFalseValue:9:string onFailure:10:OracleJob onFailureValue:11:string`,
  RoundTask: 'method:1:enum decimals:2:int32',
  BoundTask: `
    lowerBound:1:OracleJob lowerBoundValue:2:string upperBound:3:OracleJob upperBoundValue:4:string
    onExceedsUpperBound:5:OracleJob onExceedsUpperBoundValue:6:string onExceedsLowerBound:7:OracleJob
    onExceedsLowerBoundValue:8:string`,
  SecretsTask: 'authority:1:string url:2:string',
  SanctumLstPriceTask: 'lstMint:1:string skipEpochCheck:2:bool',
  VsuiPriceTask: 'rpcUrl:1:string',
  SuiLstPriceTask: `
    packageId:1:string module:2:string function:3:string sharedObjects:4:string[] provideLstAmount:5:bool
    rpcUrl:6:string`,
  OndoUsdyTask: 'strategy:1:enum',
  KalshiApiTask: 'url:1:string apiKeyId:2:string privateKey:3:string signature:4:string timestamp:5:string',
  MeteoraSwapTask: 'pool:1:string type:2:enum',
  UnixTimeTask: 'offset:1:int32',
  MapleFinanceTask: 'method:1:enum',
  GlyphTask: 'poolAddress:1:string zeroForOne:2:bool',
  CorexTask: 'inToken:1:string outToken:2:string slippage:3:double',
  AftermathTask: 'poolAddress:1:string inAmount:2:double inCoinType:3:string outCoinType:4:string',
  SolayerSusdTask: '',
  CurveFinanceTask: 'chain:1:enum provider:2:string poolAddress:3:string outDecimals:4:uint32',
  TurboEthRedemptionRateTask: 'provider:1:string',
  BitFluxTask: 'provider:1:string poolAddress:2:string inToken:3:string outToken:4:string',
  FragmetricTask: 'token:1:enum',
  EtherfuseTask: 'token:1:enum',
  LstHistoricalYieldTask: 'lstMint:1:string operation:2:enum epochs:3:int32',
  PumpAmmTask: 'poolAddress:1:string inAmount:2:double maxSlippage:3:double isXForY:4:bool',
  PumpAmmLpTokenPriceTask: 'poolAddress:1:string xPriceJob:2:OracleJob yPriceJob:3:OracleJob',
  ExponentTask: 'vault:1:string',
  ExponentPTLinearPricingTask: 'vault:1:string startPrice:2:double',
  SolanaToken2022ExtensionTask: 'mint:1:string extension:2:enum',
  SwitchboardSurgeTask: 'source:1:enum symbol:2:string',
  Blake2b128Task: 'value:1:string',
  StringMapTask: 'mappings:1:StringMapTask.Mapping[] defaultValue:2:string caseSensitive:3:bool input:4:string',
  'StringMapTask.Mapping': 'key:1:string value:2:string',
  Task: `
    httpTask:1:HttpTask jsonParseTask:2:JsonParseTask medianTask:4:MedianTask meanTask:5:MeanTask
    divideTask:7:DivideTask multiplyTask:8:MultiplyTask lpTokenPriceTask:9:LpTokenPriceTask
    lpExchangeRateTask:10:LpExchangeRateTask conditionalTask:11:ConditionalTask valueTask:12:ValueTask
    maxTask:13:MaxTask regexExtractTask:14:RegexExtractTask xstepPriceTask:15:XStepPriceTask addTask:16:AddTask
    subtractTask:17:SubtractTask serumSwapTask:19:SerumSwapTask powTask:20:PowTask
    lendingRateTask:21:LendingRateTask jupiterSwapTask:23:JupiterSwapTask perpMarketTask:24:PerpMarketTask
    oracleTask:25:OracleTask anchorFetchTask:26:AnchorFetchTask splStakePoolTask:29:SplStakePoolTask
    splTokenParseTask:30:SplTokenParseTask uniswapExchangeRateTask:31:UniswapExchangeRateTask
    sushiswapExchangeRateTask:32:SushiswapExchangeRateTask
    pancakeswapExchangeRateTask:33:PancakeswapExchangeRateTask cacheTask:34:CacheTask
    sysclockOffsetTask:35:SysclockOffsetTask marinadeStateTask:36:MarinadeStateTask
    solanaAccountDataFetchTask:37:SolanaAccountDataFetchTask bufferLayoutParseTask:38:BufferLayoutParseTask
    cronParseTask:39:CronParseTask minTask:40:MinTask comparisonTask:44:ComparisonTask roundTask:45:RoundTask
    boundTask:46:BoundTask secretsTask:47:SecretsTask sanctumLstPriceTask:48:SanctumLstPriceTask
    ondoUsdyTask:49:OndoUsdyTask meteoraSwapTask:50:MeteoraSwapTask unixTimeTask:51:UnixTimeTask
    mapleFinanceTask:52:MapleFinanceTask glyphTask:53:GlyphTask corexTask:54:CorexTask
    solayerSusdTask:56:SolayerSusdTask curveFinanceTask:57:CurveFinanceTask
    turboEthRedemptionRateTask:58:TurboEthRedemptionRateTask bitFluxTask:59:BitFluxTask
    fragmetricTask:60:FragmetricTask aftermathTask:61:AftermathTask etherfuseTask:63:EtherfuseTask
    lstHistoricalYieldTask:64:LstHistoricalYieldTask pumpAmmTask:65:PumpAmmTask
    pumpAmmLpTokenPriceTask:66:PumpAmmLpTokenPriceTask exponentTask:67:ExponentTask
    exponentPtLinearPricingTask:68:ExponentPTLinearPricingTask
    solanaToken_2022ExtensionTask:69:SolanaToken2022ExtensionTask switchboardSurgeTask:70:SwitchboardSurgeTask
    openbookTask:71:SerumSwapTask kalshiApiTask:72:KalshiApiTask titanTask:73:TitanTask
    blake2b128Task:74:Blake2b128Task hyloTask:75:HyloTask stringMapTask:76:StringMapTask kuruTask:77:KuruTask
    maceTask:78:MaceTask vsuiPriceTask:79:VsuiPriceTask suiLstPriceTask:80:SuiLstPriceTask
    surgeTwapTask:81:SurgeTwapTask`,
};

/** The names of enumerations, by message and field. */
export const JOB_ENUMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'HttpTask.method': { METHOD_UNKOWN: 0, METHOD_GET: 1, METHOD_POST: 2 },
  'JsonParseTask.aggregationMethod': { NONE: 0, MIN: 1, MAX: 2, SUM: 3, MEAN: 4, MEDIAN: 5 },
  'LpExchangeRateTask.chain': { SOLANA: 0, ECLIPSE: 1 },
  'SurgeTwapTask.timeInterval': {
    FIVE_MINUTES: 0,
    TEN_MINUTES: 1,
    FIFTEEN_MINUTES: 2,
    THIRTY_MINUTES: 3,
    ONE_HOUR: 4,
    TWO_HOURS: 5,
    SIX_HOURS: 6,
    TWELVE_HOURS: 7,
  },
  'LendingRateTask.field': { FIELD_DEPOSIT_RATE: 0, FIELD_BORROW_RATE: 1 },
  'JupiterSwapTask.version': { VERSION_V1: 0, VERSION_V2: 1 },
  'TitanTask.swapMode': { SWAP_MODE_EXACT_IN: 0, SWAP_MODE_EXACT_OUT: 1 },
  'HyloTask.token': { TOKEN_HYUSD: 0 },
  'UniswapExchangeRateTask.version': {
    VERSION_V2_DEPRECATED: 0,
    VERSION_V3_DEPRECATED: 1,
    VERSION_V2: 2,
    VERSION_V3: 3,
  },
  'SolanaAccountDataFetchTask.network': { NETWORK_MAINNET: 0, NETWORK_TESTNET: 1, NETWORK_DEVNET: 2 },
  'CronParseTask.clock': { ORACLE: 0, SYSCLOCK: 1 },
  'BufferLayoutParseTask.endian': { LITTLE_ENDIAN: 0, BIG_ENDIAN: 1 },
  'BufferLayoutParseTask.type': {
    pubkey: 1,
    bool: 2,
    u8: 3,
    i8: 4,
    u16: 5,
    i16: 6,
    u32: 7,
    i32: 8,
    f32: 9,
    u64: 10,
    i64: 11,
    f64: 12,
    u128: 13,
    i128: 14,
  },
  'ComparisonTask.op': { OPERATION_EQ: 0, OPERATION_GT: 1, OPERATION_LT: 2 },
  'RoundTask.method': { METHOD_ROUND_UP: 0, METHOD_ROUND_DOWN: 1 },
  'OndoUsdyTask.strategy': { STRATEGY_FAIR_VALUE: 0, STRATEGY_MARKET: 1 },
  'MeteoraSwapTask.type': { TYPE_DLMM: 0, TYPE_STANDARD: 1 },
  'MapleFinanceTask.method': { METHOD_SYRUP_USDC_FAIR_PRICE: 0 },
  'CurveFinanceTask.chain': { CHAIN_ETHEREUM: 0 },
  'FragmetricTask.token': { TOKEN_FRAG_SOL: 0, TOKEN_N_SOL: 1 },
  'EtherfuseTask.token': { TOKEN_CETES: 0, TOKEN_USTRY: 1, TOKEN_EUROB: 2, TOKEN_TESOURO: 3, TOKEN_GILTS: 4 },
  'LstHistoricalYieldTask.operation': { OPERATION_MEDIAN: 0, OPERATION_MEAN: 1, OPERATION_MIN: 2, OPERATION_MAX: 3 },
  'SolanaToken2022ExtensionTask.extension': { TOKEN_2022_SCALED_AMOUNT_FACTOR: 0 },
  'SwitchboardSurgeTask.source': {
    WEIGHTED: 0,
    BINANCE: 1,
    OKX: 2,
    BYBIT: 3,
    COINBASE: 4,
    BITGET: 5,
    AUTO: 6,
    PYTH: 7,
    TITAN: 8,
    GATE: 9,
  },
};

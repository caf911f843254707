/** What a person needs to know once everything runs. */
export interface BannerFacts {
  readonly startedInMs: number;
  readonly baseUrl: string;
  /** "the local chain (demo market)", or the host of a node. */
  readonly chain: string;
  readonly rpcUrl: string;
  readonly slot: bigint;
  /** An address to ask about; null where the chain has none that we know. */
  readonly wallet: { readonly address: string; readonly note: string } | null;
  /** A bank to ask for; null while none is served. */
  readonly bank: { readonly address: string; readonly symbol: string | null } | null;
  readonly databaseUrlFile: string;
  readonly notes: readonly string[];
  /** Why it is not ready yet; null when it is. */
  readonly notReady: string | null;
}

/** The lines printed once at the end of a start. */
export function renderBanner(facts: BannerFacts): string {
  const { baseUrl, wallet } = facts;
  const rows: (readonly [string, string])[] = [
    ['REST', `${baseUrl}/v1/banks`],
    ['MCP', `${baseUrl}/mcp`],
    ['docs', `${baseUrl}/docs`],
    ['status', `${baseUrl}/v1/status`],
    ['chain', `${facts.chain} at ${facts.rpcUrl}, slot ${facts.slot}`],
    ...(wallet === null ? [] : [['wallet', `${wallet.address}  ${wallet.note}`] as const]),
    ['SQL', `psql "$(cat ${facts.databaseUrlFile})"`],
    ...facts.notes.map((note) => ['note', note] as const),
  ];
  return [
    '',
    `  ${renderHeadline(facts)}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(8)}${value}`),
    '',
    '  Try',
    ...callsToCopy(facts).map((call) => `    ${call}`),
    '',
  ].join('\n');
}

/** The line that says whether it is ready. */
export function renderHeadline({ notReady, startedInMs }: Pick<BannerFacts, 'notReady' | 'startedInMs'>): string {
  return notReady === null
    ? `Lending agent service is up (${(startedInMs / 1000).toFixed(1)} s). Ctrl-C stops it.`
    : `Lending agent service runs, but is not ready: ${notReady}. It goes on trying; Ctrl-C stops it.`;
}

function callsToCopy({ baseUrl, bank }: BannerFacts): readonly string[] {
  const bySymbol = bank?.symbol == null ? '' : `?symbol=${encodeURIComponent(bank.symbol)}`;
  const rest = `curl -s '${baseUrl}/v1/banks${bySymbol}'`;
  const history = bank === null ? [] : [`curl -s '${baseUrl}/v1/banks/${bank.address}/history?interval=1m'`];
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_get_banks', arguments: { sort: 'total_deposit_apy_pct', limit: 3 } },
  };
  const headers = "-H 'content-type: application/json' -H 'accept: application/json, text/event-stream'";
  return [rest, ...history, `curl -s ${baseUrl}/mcp ${headers} -d '${JSON.stringify(call)}'`];
}

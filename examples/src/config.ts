/** Where everything is, unless the environment says otherwise: what `npm start` says of itself. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const serviceUrl = env.SERVICE_URL ?? 'http://127.0.0.1:8080';
  const rpcUrl = env.RPC_URL ?? 'http://127.0.0.1:8899';
  return {
    serviceUrl,
    rpcUrl,
    /** The local chain takes bundles itself. */
    blockEngineUrl: env.BLOCK_ENGINE_URL ?? rpcUrl,
    keyFile: env.KEY_FILE,
  };
}

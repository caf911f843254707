export { apiProcessSettings, apiSettings } from './config.ts';
export { type RunningApi, type StartApiOptions, startApi } from './start-api.ts';

export { API_PROCESS_SETTINGS, API_SETTINGS } from './config.ts';
export { type RunningApi, type StartApiOptions, startApi } from './start-api.ts';

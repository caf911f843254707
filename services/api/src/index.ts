export type { Build } from './builds/build.ts';
export { buildAction } from './builds/build-action.ts';
export type { BuildDeps, BuildTables, KnownBank } from './builds/build-deps.ts';
export type { ActionRequest, BuildRequest, LeverageRequest } from './builds/build-request.ts';
export { type ActionDraft, draftAction } from './builds/draft-action.ts';
export { createSlotTime } from './builds/slot-time.ts';
export { createTurns } from './builds/turns.ts';
export { apiProcessSettings, apiSettings } from './config.ts';
export { type RunningApi, type StartApiOptions, startApi } from './start-api.ts';

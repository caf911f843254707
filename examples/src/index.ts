export { connectBlockEngine } from './block-engine-port.ts';
export { demoWallet, giveTokens, requestSol } from './demo-wallet.ts';
export { type Envelope, parseEnvelope } from './envelope.ts';
export { readKeyFile } from './key-file.ts';
export { connectNode } from './node-port.ts';
export { sendEnvelope } from './send-envelope.ts';
export { signEnvelope } from './sign-envelope.ts';
export { type StoryStep, tellStory } from './story.ts';
export type { StoryService } from './story-service.ts';

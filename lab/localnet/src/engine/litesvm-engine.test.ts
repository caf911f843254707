import { describeEngine } from './engine.contract.ts';
import { createLiteSvmEngine } from './litesvm-engine.ts';

const engine = await createLiteSvmEngine();

describeEngine('createLiteSvmEngine', engine);

import { describeEngine } from './engine.contract.ts';
import { createModelEngine } from './model-engine.ts';

describeEngine('createModelEngine', createModelEngine());

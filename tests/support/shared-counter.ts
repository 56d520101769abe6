import { Worker } from 'node:worker_threads';
import { createTokenCounter } from '../../core/billing/count-tokens.ts';
import { compiledWorker } from './compiled-worker.ts';

/** One for all gateways of this process: a worker for each would load compiler and tokenizer again, a second and a half of a core. */
export const sharedCounter = createTokenCounter({
  startWorker: () => new Worker(compiledWorker('core/billing/count-worker')),
});

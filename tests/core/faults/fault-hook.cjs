// Preloaded into a server under test: SIGUSR2 does to it what FAULT names.
const threads = require('node:worker_threads');
const { syncBuiltinESMExports } = require('node:module');

const workers = [];
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...words) {
    super(...words);
    workers.push(this);
  }
};
syncBuiltinESMExports();

const faults = {
  throw() {
    throw new Error('planted fault');
  },
  reject() {
    Promise.reject(new Error('planted fault'));
  },
  rejectOften() {
    // One signal for all: a busy process takes several signals for one.
    for (let times = 0; times < 40; times++) setTimeout(faults.reject, 5 * times);
  },
  block() {
    const untilMs = Date.now() + 2000;
    while (Date.now() < untilMs);
  },
  endWorkers() {
    for (const worker of workers) worker.terminate();
  },
};

if (threads.isMainThread) process.on('SIGUSR2', () => setImmediate(faults[process.env.FAULT]));

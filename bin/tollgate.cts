#!/usr/bin/env node
// The thread pool takes its size when it is first used. Password hashing, DNS and SQLite share these threads; four (the default) let a few
// sign-ins hold up every query.
process.env.UV_THREADPOOL_SIZE ??= '16';

const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
// Compiled code that has not run since the last collection but one is dropped, and compiled again when it is needed: much of it serves a
// start alone, and an idle server holds more than one MiB less. A V8 that does not know the flag would complain on the terminal.
if (/^v2[0-4]\./.test(process.version)) setFlagsFromString('--bytecode-old-age=1');

const { dirname } = require('node:path') as typeof import('node:path');
const { openScript, runKept } = require('./kept-script.ts') as typeof import('./kept-script.ts');

interface Program {
  main(words: string[], host: NodeJS.Process): Promise<number>;
  tellUnfinished(words: string[], host: NodeJS.Process): void;
}

const words = process.argv.slice(2);
const dist = dirname(__dirname);
const program = runKept<Program>(dist, openScript(dist, 'program'));
// Each command runs other parts of the program.
program.use(
  words
    .filter((word) => /^[a-z][a-z-]*$/.test(word))
    .slice(0, 2)
    .join(' '),
);
// A command that waits for what cannot come any more would pass for one that is done.
const unfinished = () => {
  process.exitCode = 1;
  program.exports.tellUnfinished(words, process);
};
process.once('beforeExit', unfinished);
program.exports.main(words, process).then((code) => {
  process.off('beforeExit', unfinished);
  process.exitCode = code;
});

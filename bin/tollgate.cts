#!/usr/bin/env node
// CommonJS, because the thread pool takes its size when it is first used, and the ES module loader uses it before any module runs.
// Password hashing, DNS and SQLite share these threads; four (the default) let a few sign-ins hold up every query.
process.env.UV_THREADPOOL_SIZE ??= '16';

import('../cli/main.js' as string).then(({ main }: { main(words: string[], host: NodeJS.Process): Promise<number> }) =>
  main(process.argv.slice(2), process).then((code) => {
    process.exitCode = code;
  }),
);

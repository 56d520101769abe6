import { loadConfig } from '../../../core/config.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';

/** What the process says when it is in the middle of its last migration. */
export const halfWay = 'half way';

// A program of its own, to be killed: all migrations, and one more that never ends.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  await migrate(loadConfig().database, [
    ...migrations,
    {
      name: '9999-unfinished',
      async up({ run }) {
        await run('CREATE TABLE unfinished (id INTEGER)');
        await run('UPDATE users SET quota = quota + 1');
        process.stdout.write(`${halfWay}\n`);
        await new Promise(() => setInterval(() => undefined, 1000));
      },
    },
  ]);
}

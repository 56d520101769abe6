import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openPostgresClient } from '../../../core/database/postgres-client.ts';
import { createTemporaryTarget } from '../../support/temporary-database.ts';

/** Hundredths of a second until the kernel asks the other end of a link whether it is there; undefined while it never does. */
function probeIn(port: number): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const columns = lines.map((line) => line.trim().split(/\s+/)).find((words) => words[1]?.endsWith(local));
  const [kind, time = ''] = columns?.[5]?.split(':') ?? [];
  return kind === '02' ? Number.parseInt(time, 16) : undefined;
}

describe.runIf(process.platform === 'linux')('a connection beside the pool', () => {
  it('notices within seconds that its server is gone without a word, however long a statement may take', async () => {
    const { target, remove } = await createTemporaryTarget('postgres');
    const client = await openPostgresClient(target.engine === 'postgres' ? target.url : '', 5000);
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const running = client.query('SELECT pg_sleep(1)');
    await expect.poll(() => probeIn(stream.localPort ?? 0), { timeout: 10_000 }).toBeLessThanOrEqual(6000);
    await running;
    await client.end();
    await remove();
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { connect, type Database } from '../../database/connect.ts';
import { identityOf, isSame, replayedPlace, writtenPlace } from '../../database/replica-probe.ts';
import type { ReplicaFault } from '../../database/report-database.ts';

export interface ReplicaFinding {
  fault: ReplicaFault | undefined;
  /** Until it had what the primary had when it was asked. */
  lagSeconds: number;
  /** Of one that is unreachable. */
  reason: string;
}

type Replica = NonNullable<Config['readReplica']>;

const lookEveryMs = 100;

/** Waits until the replica has what the primary has now, at most as long as it may be behind. */
export async function examineReplica(database: Config['database'], replica: Replica): Promise<ReplicaFinding> {
  const primary = await connect(database, 1);
  const copy = await connect({ engine: 'postgres', url: replica.url }, 1);
  try {
    return await compare(primary, copy, replica.maxLagSeconds);
  } finally {
    await Promise.all([primary.close(), copy.close()]);
  }
}

async function compare(primary: Database, copy: Database, maxLagSeconds: number): Promise<ReplicaFinding> {
  const needed = await writtenPlace(primary);
  const startedMs = performance.now();
  const as = (fault: ReplicaFinding['fault'], reason = ''): ReplicaFinding => ({
    fault,
    lagSeconds: (performance.now() - startedMs) / 1000,
    reason,
  });
  try {
    for (;;) {
      const place = await replayedPlace(copy);
      if (place === undefined) return as('notReplica');
      if (!isSame(await identityOf(primary), await identityOf(copy))) return as('otherDatabase');
      if (place >= needed) return as(undefined);
      if (as('behind').lagSeconds > maxLagSeconds) return as('behind');
      await wait(lookEveryMs);
    }
  } catch (error) {
    return as('unreachable', (error as Error).message);
  }
}

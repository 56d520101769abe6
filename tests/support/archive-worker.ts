import type { Config } from '../../core/config.ts';
import { connect } from '../../core/database/connect.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { createAuditService } from '../../core/services/audit.ts';
import { archiveLogs } from '../../core/services/log-archive/archive.ts';

/** The one argument of the process, as JSON. */
export interface ArchiveOrder {
  database: Config['database'];
  folder: string;
  before: number;
  /** Ends itself with SIGKILL the n-th time it comes by any of them. */
  killAt: number;
}

void main(JSON.parse(process.argv[2] ?? '{}') as ArchiveOrder);

async function main({ database: target, folder, before, killAt }: ArchiveOrder): Promise<void> {
  const database = await connect(target);
  let times = 0;
  const killPoint = () => {
    if (++times === killAt) process.kill(process.pid, 'SIGKILL');
  };
  await archiveLogs(
    systemActor,
    { database, audit: createAuditService({ database }) },
    { folder, before, keep: false, killPoint },
  );
  await database.close();
}

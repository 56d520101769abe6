import { writeSync } from 'node:fs';
import type { Config } from '../../core/config.ts';
import { connect } from '../../core/database/connect.ts';
import { createSecretBox } from '../../core/lib/secret-box.ts';
import { createAuditService } from '../../core/services/audit.ts';
import { createOptionService } from '../../core/services/option/option.ts';
import { openTaskNotices } from './task-notices.ts';

/** The one argument of the process, as JSON. */
export interface TaskNoticeOrder {
  database: Config['database'];
  receiverUrl: string;
}

/** Tells of the jobs that have ended, once; says how many were told. */
async function main({ database: target, receiverUrl }: TaskNoticeOrder): Promise<void> {
  const database = await connect(target);
  const secretBox = createSecretBox(['test']);
  const audit = createAuditService({ database });
  const options = createOptionService({ database, secretBox, audit, checkAddress: () => {} });
  const { sendDue } = openTaskNotices(
    {
      database,
      secretBox,
      options,
      now: () => Math.floor(Date.now() / 1000),
      notices: { put: () => Promise.resolve(false) },
      delivery: { wayTo: () => undefined },
      onFailure: (_text, error) => writeSync(2, `${String(error)}\n`),
    },
    receiverUrl,
  );
  writeSync(1, `${JSON.stringify(await sendDue())}\n`);
  process.exit(0);
}

void main(JSON.parse(process.argv[2] ?? '{}') as TaskNoticeOrder);

import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { Config } from '../../core/config.ts';
import { connect } from '../../core/database/connect.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { createSecretBox } from '../../core/lib/secret-box.ts';
import { role } from '../../core/schemas/actor.ts';
import { createAuditService } from '../../core/services/audit.ts';
import { createLogService } from '../../core/services/log/log.ts';
import { createOptionService } from '../../core/services/option/option.ts';
import { createRedemptionService } from '../../core/services/wallet/redemption.ts';
import { primaryReports } from './primary-reports.ts';

/** The one argument of the process, as JSON. */
export interface RedeemOrder {
  database: Config['database'];
  secret: string;
  userId: number;
  name: string;
  keys: string[];
}

/** Redeems every code, once its standard input says go; says how many it was given. */
async function main({ database: target, secret, userId, name, keys }: RedeemOrder): Promise<void> {
  const database = await connect(target);
  const secretBox = createSecretBox([secret]);
  const audit = createAuditService({ database });
  const options = createOptionService({ database, secretBox, audit, checkAddress: () => {} });
  const logs = createLogService({ database, reports: primaryReports(database), secretBox, audit });
  const redemptions = createRedemptionService({ database, secretBox, options, logs, audit });
  const actor = { id: userId, name, role: role.user, address: '127.0.0.1' };
  writeSync(1, 'ready\n');
  await once(process.stdin, 'data');
  const outcomes = keys.map((key) =>
    redemptions.redeem(actor, key).then(
      () => 1,
      (error: unknown) => {
        if (error instanceof AppError && ['redemption.used', 'redemption.usedByYou'].includes(error.code)) return 0;
        throw error;
      },
    ),
  );
  const given = (await Promise.all(outcomes)).filter(Boolean).length;
  writeSync(1, `${given}\n`);
  await database.close();
  process.exit(0);
}

void main(JSON.parse(process.argv[2] ?? '{}') as RedeemOrder);

import { createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { openSource } from '../../core/services/takeover/source.ts';
import { takeOver } from '../../core/services/takeover/takeover.ts';
import { killAtStatement } from './kill-at-statement.ts';

/** The number of the statement, and the file of the old installation. */
export type ImportOrder = [turn: string, file: string];

void main(process.argv.slice(2) as ImportOrder);

/** An import in a process of its own, which ends with SIGKILL in place of its n-th statement that writes. */
async function main([turn, file]: ImportOrder): Promise<void> {
  const source = await openSource(file);
  const { database, secretBox, services, close } = await createApp(loadConfig({}, process.env));
  const { options, abilities, audit } = services;
  killAtStatement(Number(turn));
  await takeOver(
    systemActor,
    { database, secretBox, options, abilities, audit, now: nowSeconds },
    { source, dryRun: false, merge: false, logs: true, onRows() {} },
  );
  await source.close();
  await close();
}

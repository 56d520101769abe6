import { join } from 'node:path';
import { loadConfig } from '../../core/config.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { moveDatabase, planMove } from '../../core/services/moving/database/move.ts';
import { migrations } from '../../migrations/index.ts';
import { killAtStatement, killAtWords } from './kill-at-statement.ts';

/** The number of the statement or words in it, and the PostgreSQL address or the SQLite file to move to. */
export type MoveOrder = [turn: string, to: string];

/** A move in a process of its own, which ends with SIGKILL in place of its n-th statement that writes. */
const [turn, to] = process.argv.slice(2) as MoveOrder;
const { database: source, dataDirectory } = loadConfig({}, process.env);
const target = to.startsWith('postgres:')
  ? ({ engine: 'postgres', url: to } as const)
  : ({ engine: 'sqlite', file: to } as const);
const request = { source, target, migrations, spoolDirectory: join(dataDirectory, 'spool') };
if (/^\d+$/.test(turn)) killAtStatement(Number(turn));
else killAtWords(turn);
void move();

async function move(): Promise<void> {
  const plan = await planMove(systemActor, request);
  const { signal } = new AbortController();
  await moveDatabase(systemActor, request, plan, { signal, onRows() {}, onCopied() {}, onProof() {} });
}

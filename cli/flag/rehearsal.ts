import type { App } from '../../core/app.ts';
import { parseRecord } from '../../core/lib/json-value.ts';
import type { Change } from '../../core/schemas/audit.ts';
import type { Context } from '../context.ts';
import type { Column } from '../output.ts';

const maxValueLength = 60;

const columns: Column<Change>[] = [
  { title: 'ACTION', whole: true, value: ({ action }) => action },
  { title: 'OBJECT', keep: true, value: ({ object_id }) => object_id || '-' },
  { title: 'CHANGE', value: changeText },
];

/**
 * `--dry-run`: the services do the work with every check they have, what they would have changed is printed, and all of it is
 * taken back. The work must not ask anything: the database is locked while it runs.
 */
export async function rehearse(context: Context, work: (app: App) => Promise<unknown>): Promise<void> {
  const app = await context.app();
  const { changes } = await app.services.rehearsals.rehearse(() => work(app));
  await printChanges(context, changes);
}

/** For what is rehearsed in several parts, so that a server beside it is never kept waiting for long. */
export async function printChanges({ output, speak }: Context, changes: Change[]): Promise<void> {
  const total = changes.length;
  const message = total === 0 ? speak('dryRun.nothing') : speak('dryRun.summary', { count: total });
  if (output.json) return output.done(message, { dry_run: true, changes });
  if (total > 0) await output.list({ items: changes, page: 1, page_size: total, total }, columns);
  output.say(message);
}

function changeText({ before, after }: Change): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name) => moves(name, before?.[name], after?.[name])).join(', ');
}

/** Of a long list of prices only those that change are of interest. */
function moves(name: string, former: unknown, next: unknown): string[] {
  const [before, after] = [entriesOf(former ?? '{}'), entriesOf(next)];
  if (!before || !after) return [move(name, former, next)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return changed.map((key) => (Object.hasOwn(after, key) ? move(key, before[key], after[key]) : `${key}: -`));
}

function entriesOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'string' ? parseRecord(value) : undefined;
}

function move(name: string, former: unknown, next: unknown): string {
  const isMove = former !== undefined && next !== undefined;
  return `${name}: ${isMove ? `${shown(former)} → ${shown(next)}` : shown(next ?? former)}`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return '""';
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

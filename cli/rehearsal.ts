import type { App } from '../core/app.ts';
import type { Change } from '../core/schemas/audit.ts';
import type { Context } from './context.ts';
import type { Column } from './output.ts';

const longestValue = 60;

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
  return names
    .map((name) => {
      const [former, next] = [before?.[name], after?.[name]];
      const isMove = former !== undefined && next !== undefined;
      return `${name}: ${isMove ? `${shown(former)} → ${shown(next)}` : shown(next ?? former)}`;
    })
    .join(', ');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return '""';
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '../../core/schemas/paging.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { untilStopped } from '../interruption.ts';
import type { Column } from '../output.ts';

const pollMs = 2000;

/**
 * A list that is read again every two seconds until it is stopped: redrawn on a screen, elsewhere each row once and
 * again whenever something of it changed.
 */
export async function watchList<T extends { id: number }>(
  context: Context,
  read: () => Promise<Page<T>>,
  columns: Column<T>[],
): Promise<void> {
  const { host, output } = context;
  const printed = new Map<number, string>();
  const isScreen = output.terminal && !output.json;
  // What a counter behind the table says does not make the row of a table new.
  const textOf = (row: T) => JSON.stringify(output.json ? row : columns.map((column) => column.value(row)));
  const ending = await untilStopped(host, async (signal) => {
    for (;;) {
      const page = await read();
      if (isScreen) await output.repaint(() => output.list(page, columns));
      else {
        const changed = page.items.filter((row) => printed.get(row.id) !== textOf(row));
        for (const row of changed) printed.set(row.id, textOf(row));
        await output.append(changed, columns);
      }
      await pause(pollMs, undefined, { signal });
    }
  });
  if (ending === 'interrupted') context.exitCode = exitCode.interrupted;
}

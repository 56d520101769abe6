import type { Database } from '../database/connect.ts';

export interface ServedModels {
  /** Models that an enabled channel serves, in the order of their names, each with its groups. */
  read(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Called when abilities changed, here or in another process. */
  forget(): void;
}

/** Kept in memory: the price page is open to everybody, and an installation may have tens of thousands of abilities. */
export function createServedModels({ database }: { database: Database }): ServedModels {
  let known: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  async function load(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await database.select<{ model: string; group: string }>(
      'SELECT DISTINCT model, "group" FROM abilities WHERE enabled = :enabled ORDER BY model, "group"',
      { enabled: true },
    );
    const served = new Map<string, string[]>();
    for (const { model, group } of rows) {
      const groups = served.get(model);
      if (groups) groups.push(group);
      else served.set(model, [group]);
    }
    return served;
  }

  function forget(): void {
    known = undefined;
  }

  return {
    forget,
    read() {
      if (known) return known;
      const loading = load();
      known = loading;
      // The next one asks again; this one is told.
      loading.catch(() => {
        if (known === loading) forget();
      });
      return loading;
    },
  };
}

import type { Database } from '../../database/connect.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { adapterFor, isServed, servesModel } from '../../providers/registry.ts';
import { channelTypes } from '../../schemas/channel-type-list.ts';

export interface ServedModels {
  /** Models that an enabled channel serves, in the order of their names, each with its groups. */
  read(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Called when abilities changed, here or in another process. */
  forget(): void;
}

interface ServedRow {
  model: string;
  group: string;
  type: number;
  /** JSON text, for types that do not serve every model; else ''. */
  mapping: string;
}

const servedTypes = channelTypes.map(({ number }) => number).filter(isServed);
const choosyTypes = servedTypes.filter((type) => adapterFor(type)?.serves !== undefined);

function mappedName(model: string, mapping: string): string {
  const mapped = mapping === '' ? undefined : parseRecord(mapping)?.[model];
  return typeof mapped === 'string' ? mapped : model;
}

/** Kept in memory: the price page is public, and an installation may have tens of thousands of abilities. */
export function createServedModels({ database }: { database: Database }): ServedModels {
  let known: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  async function load(): Promise<ReadonlyMap<string, readonly string[]>> {
    // SQL: distinct groups of two tables, with a long column only where it is needed.
    const rows = await database.select<ServedRow>(
      `SELECT DISTINCT model, abilities."group", type, CASE WHEN type IN (:choosy) THEN model_mapping ELSE '' END AS mapping
       FROM abilities JOIN channels ON channels.id = channel_id
       WHERE enabled = :enabled AND type IN (:types) ORDER BY model, abilities."group"`,
      { enabled: true, types: servedTypes, choosy: choosyTypes },
    );
    const served = new Map<string, string[]>();
    for (const { model, group, type, mapping } of rows) {
      if (!servesModel(type, mappedName(model, mapping))) continue;
      const groups = served.get(model);
      if (groups?.includes(group)) continue;
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
      // The next one asks again; this one gets the error.
      loading.catch(() => {
        if (known === loading) forget();
      });
      return loading;
    },
  };
}

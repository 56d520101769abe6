import { Op, type Transaction } from 'sequelize';
import { listEntryOf } from '../../billing/list-price.ts';
import type { Database } from '../../database/connect.ts';
import type { ListedModelRow } from '../../database/models/listed-model.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { type ModelFacts, mergeFacts, modelFactsSchema, noFacts } from '../../schemas/model-fact.ts';
import { type ListedPrice, listedPriceSchema } from '../../schemas/price-sync.ts';
import type { PriceReading } from './price-reading.ts';

interface ListedModelDependencies {
  database: Database;
  now?: Clock;
}

interface StoredModel {
  source: string;
  price: ListedPrice | undefined;
  facts: ModelFacts;
  applied: string;
}

const rowsAtOnce = 500;
/** The price page is public and asks at each view; other processes store new lists seldom. */
const keptMs = 30_000;

/** What lists of prices said of models when they were last read by a sync; the list that ships with the program stands behind. */
export function createListedModels({ database, now = nowSeconds }: ListedModelDependencies) {
  let known: { at: number; rows: Promise<ReadonlyMap<string, StoredModel>> } | undefined;

  async function load(): Promise<ReadonlyMap<string, StoredModel>> {
    const rows = await database.listedModels.findAll({ raw: true });
    return new Map(rows.map((row) => [row.model, storedOf(row)]));
  }

  function read(): Promise<ReadonlyMap<string, StoredModel>> {
    if (known && performance.now() - known.at < keptMs) return known.rows;
    const rows = load();
    known = { at: performance.now(), rows };
    // The next one asks again; this one gets the error.
    rows.catch(() => forget());
    return rows;
  }

  function forget(): void {
    known = undefined;
  }

  /** The models of a list that was read; those it no longer has go, unless a price of theirs was taken from it. */
  async function store({ source, find }: PriceReading, models: readonly string[]): Promise<void> {
    const read_at = now();
    const rows = models.flatMap((model) => {
      const found = find(model);
      if (!found) return [];
      const { price, facts } = found;
      const text = JSON.stringify(facts) === JSON.stringify(noFacts) ? '' : JSON.stringify(facts);
      return [{ model, source, price: price ? JSON.stringify(price) : '', facts: text, read_at }];
    });
    await database.transaction(async (transaction) => {
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        await database.listedModels.bulkCreate(rows.slice(at, at + rowsAtOnce), {
          updateOnDuplicate: ['source', 'price', 'facts', 'read_at'],
          transaction,
        });
      }
      const gone = { source, applied: '', read_at: { [Op.lt]: read_at } };
      await database.listedModels.destroy({ where: gone, transaction });
    });
    forget();
  }

  /** Remembers the entries that a sync stores, in the transaction that stores them; `forget` afterward. */
  async function markApplied(
    source: string,
    entries: ReadonlyMap<string, string>,
    transaction: Transaction,
  ): Promise<void> {
    const read_at = now();
    const rows = [...entries].map(([model, applied]) => ({ model, source, read_at, applied }));
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await database.listedModels.bulkCreate(rows.slice(at, at + rowsAtOnce), {
        updateOnDuplicate: ['applied'],
        transaction,
      });
    }
  }

  return {
    read,
    store,
    markApplied,
    forget,
    /** What is known of each model, from the last sync and for the rest from the packaged list. */
    async facts(): Promise<(model: string) => ModelFacts> {
      const stored = await read();
      return (model) => mergeFacts(stored.get(model)?.facts ?? noFacts, listEntryOf(model)?.facts ?? noFacts);
    },
  };
}

export type ListedModels = ReturnType<typeof createListedModels>;

/** A row of another version, which we cannot read, says nothing. */
function storedOf({ source, price, facts, applied }: ListedModelRow): StoredModel {
  const listed = listedPriceSchema.safeParse(parseRecord(price) ?? {});
  const said = modelFactsSchema.safeParse({ ...noFacts, ...parseRecord(facts) });
  return {
    source,
    price: price !== '' && listed.success ? listed.data : undefined,
    facts: said.success ? said.data : noFacts,
    applied,
  };
}

import pg from 'pg';
import type { PostgresTarget } from '../config/database.ts';
import type { Config } from '../config.ts';
import { leaveMs, waitAtMost } from '../lib/patience.ts';
import { driverUrl, isPooled, sessionUrl } from './postgres-client.ts';
import { openSqlite } from './sqlite-connection.ts';

export type ChangeSubject = 'users' | 'tokens' | 'channels' | 'abilities' | 'options' | 'limits';
export type ChangeListener = (subject: ChangeSubject, id: string) => void;

/**
 * Tells this process what any process changed in the tables that are cached in memory. Triggers write the \`changes\` table,
 * so the CLI, another node or a hand-written UPDATE are all seen: within 500 ms on SQLite, at once by NOTIFY on PostgreSQL
 * (a poll every 5 s is the net below it).
 */
export interface ChangeFeed {
  subscribe(listener: ChangeListener): void;
  onClose(listener: () => void): void;
  /** Reads what is new now, so that a change made by this process is in force when its response goes out. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

interface ChangeRow {
  id: number;
  subject: ChangeSubject;
  subject_id: string;
}

/** Reads rows above an id; rows of transactions that commit late carry lower ids, so PostgreSQL reads an overlap again. */
interface ChangeSource {
  newest(): Promise<number>;
  after(id: number): Promise<ChangeRow[]>;
  /** Whether changes are told as they happen. */
  isHearing(): boolean;
  prune(): Promise<void>;
  close(): Promise<void>;
}

const overlap = 500;
const pollEveryMs = 500;
/** The net below NOTIFY. */
const netEveryMs = 5000;
const pruneEveryMs = 600_000;

export async function openChangeFeed(
  database: Config['database'],
  onError: (error: unknown) => void,
): Promise<ChangeFeed> {
  const listeners: ChangeListener[] = [];
  const closing: (() => void)[] = [];
  const tell: ChangeListener = (subject, id) => {
    for (const listener of listeners) listener(subject, id);
  };
  const sqlite = database.engine === 'sqlite';
  let isReady = false;
  const onHearing = () => {
    if (isReady) poll().catch(onError);
  };
  const source = sqlite
    ? await sqliteSource(database.file)
    : await postgresSource(database, { tell, onError, onHearing });
  let last = await source.newest();
  const seen = new Set<number>();
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    const rows = await source.after(sqlite ? last : Math.max(0, last - overlap));
    for (const { id, subject, subject_id } of rows) {
      if (seen.has(id)) continue;
      if (!sqlite) seen.add(id);
      last = Math.max(last, id);
      tell(subject, subject_id);
    }
    for (const id of seen) if (id < last - overlap) seen.delete(id);
  }

  function poll(): Promise<void> {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  }

  let polledAtMs = performance.now();
  function look(): void {
    const isNet = performance.now() - polledAtMs >= (sqlite ? 0 : netEveryMs);
    if (!isNet && source.isHearing()) return;
    if (isNet) polledAtMs = performance.now();
    // An outage is told as often as the net is drawn.
    poll().catch((error) => isNet && onError(error));
  }

  // An overlap is read again each time; what stood there before the start is not news.
  if (!sqlite) for (const { id } of await source.after(Math.max(0, last - overlap))) seen.add(id);
  isReady = true;
  const timer = setInterval(look, pollEveryMs);
  const pruner = setInterval(() => source.prune().catch(onError), pruneEveryMs);
  timer.unref();
  pruner.unref();

  return {
    subscribe: (listener) => void listeners.push(listener),
    onClose: (listener) => void closing.push(listener),
    // A poll under way may have begun before the change: read once more behind it.
    poll: async () => {
      await running?.catch(() => undefined);
      await poll();
    },
    async close() {
      clearInterval(timer);
      clearInterval(pruner);
      for (const listener of closing) listener();
      await waitAtMost(
        leaveMs,
        Promise.resolve(running).catch(() => undefined),
      );
      await source.close();
    },
  };
}

async function sqliteSource(file: string): Promise<ChangeSource> {
  const connection = await openSqlite(file);
  return {
    newest: async () => (await connection.all<{ id: number | null }>('SELECT max(id) AS id FROM changes'))[0]?.id ?? 0,
    after: (id) =>
      connection.all<ChangeRow>('SELECT id, subject, subject_id FROM changes WHERE id > ? ORDER BY id LIMIT 10000', [
        id,
      ]),
    isHearing: () => false,
    prune: () => connection.run('DELETE FROM changes WHERE id < (SELECT max(id) FROM changes) - 20000'),
    close: () => connection.close(),
  };
}

interface Ear {
  tell: ChangeListener;
  onError(error: unknown): void;
  /** From now on; what happened before must be read. */
  onHearing(): void;
}

async function postgresSource(database: PostgresTarget, ear: Ear): Promise<ChangeSource> {
  const pool = new pg.Pool({
    connectionString: driverUrl(database.url),
    max: 1,
    connectionTimeoutMillis: 5000,
    // A pooler refuses it.
    ...(!isPooled(database) && { statement_timeout: 5000 }),
    // A link that drops one reply must not end the reading of changes for good.
    query_timeout: 6000,
  });
  pool.on('error', ear.onError);
  // The server's last words may come in the same packet as its first, before the pool listens.
  pool.on('connect', (client) => client.on('error', () => {}));
  const listener = listen(sessionUrl(database), ear);
  return {
    newest: async () => (await pool.query<{ id: number | null }>('SELECT max(id) AS id FROM changes')).rows[0]?.id ?? 0,
    after: async (id) =>
      (
        await pool.query<ChangeRow>(
          'SELECT id, subject, subject_id FROM changes WHERE id > $1 ORDER BY id LIMIT 10000',
          [id],
        )
      ).rows,
    isHearing: listener.isHearing,
    prune: async () => void (await pool.query('DELETE FROM changes WHERE id < (SELECT max(id) FROM changes) - 20000')),
    async close() {
      await waitAtMost(leaveMs, Promise.all([listener.close(), pool.end()]));
    },
  };
}

/** Keeps one LISTEN connection alive; while it is down the poll still finds every change. */
function listen(url: string, { tell, onError, onHearing }: Ear): Pick<ChangeSource, 'isHearing' | 'close'> {
  let closed = false;
  let isHearing = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const opened = new pg.Client({
      connectionString: driverUrl(url),
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      query_timeout: 4000,
    });
    const again = () => {
      if (closed || client !== opened) return;
      client = undefined;
      isHearing = false;
      retry = setTimeout(() => open().catch(onError), 500 + Math.random() * 1000);
    };
    client = opened;
    opened.on('error', again);
    opened.on('end', again);
    opened.on('notification', ({ payload = '' }) => {
      const colon = payload.indexOf(':');
      tell(payload.slice(0, colon) as ChangeSubject, payload.slice(colon + 1));
    });
    try {
      await opened.connect();
      await opened.query('LISTEN tollgate_changes');
      if (client !== opened) return;
      isHearing = true;
      onHearing();
    } catch (error) {
      onError(error);
      again();
    }
  }

  // A link to a machine that is gone says nothing by itself for hours; one that does not respond is closed and reopened.
  const pulse = setInterval(() => {
    const asked = client;
    if (isHearing) asked?.query('SELECT 1').catch(() => asked.end().catch(() => undefined));
  }, netEveryMs);
  pulse.unref();
  void open();
  return {
    isHearing: () => isHearing,
    async close() {
      closed = true;
      clearInterval(pulse);
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}

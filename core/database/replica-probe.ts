import type { Database } from './connect.ts';
import type { WalPlace } from './replica-lag.ts';

/** Which database of which cluster: a replica has the same. */
export interface DatabaseIdentity {
  /** Undefined where the role may not read it. */
  cluster: string | undefined;
  database: string;
}

// SQL throughout: no table is read.

/** Where the write-ahead log of the primary ends. */
export async function writtenPlace(primary: Database): Promise<WalPlace> {
  const [row] = await primary.select<{ place: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS place`,
  );
  return Number(row?.place);
}

/** How far a replica has come; undefined when it is not one. */
export async function replayedPlace(replica: Database): Promise<WalPlace | undefined> {
  const [row] = await replica.select<{ standby: boolean; place: string | null }>(
    `SELECT pg_is_in_recovery() AS standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text AS place`,
  );
  return row?.standby && row.place !== null ? Number(row.place) : undefined;
}

export async function identityOf(database: Database): Promise<DatabaseIdentity> {
  const [row] = await database.select<{ id: string }>(
    'SELECT oid::text AS id FROM pg_database WHERE datname = current_database()',
  );
  const [control] = await database
    .select<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')
    .catch(() => []); // some hosts forbid it
  return { cluster: control?.id, database: row?.id ?? '' };
}

export function isSame(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  const isKnown = one.cluster !== undefined && other.cluster !== undefined;
  return one.database === other.database && (!isKnown || one.cluster === other.cluster);
}

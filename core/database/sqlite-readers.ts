import type { Sequelize } from 'sequelize';
import type { LimitedSqlite } from './limited-sqlite.ts';

/** What Sequelize keeps its SQLite connections by; its types leave it out. */
interface ConnectionManager {
  /** Opens the connection of this name when it is asked for first; all are closed with Sequelize. */
  getConnection(options: { uuid?: string }): Promise<LimitedSqlite>;
  connections: Record<string, LimitedSqlite>;
}

/** One is for the report that takes long, the other for all other reads; more would take the processors from the calls. */
const names = ['reader 1', 'reader 2'];

/**
 * Connections for raw reads. SQLite runs one statement of a connection at a time: on a single one, every read and write of the console
 * would wait for a sum over months.
 */
export function createSqliteReaders(sequelize: Sequelize) {
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  const running = new Map(names.map((name) => [name, 0]));
  const isReady = new Set<LimitedSqlite>();

  return async function read<T>(work: (connection: LimitedSqlite) => Promise<T>): Promise<T> {
    const [name] = [...running].reduce((free, one) => (one[1] < free[1] ? one : free));
    running.set(name, (running.get(name) ?? 0) + 1);
    try {
      const connection = await manager.getConnection({ uuid: name });
      if (!isReady.has(connection)) {
        isReady.add(connection);
        connection.exec('PRAGMA query_only = ON', () => {});
      }
      return await work(connection);
    } finally {
      running.set(name, (running.get(name) ?? 1) - 1);
    }
  };
}

/** Sequelize would keep a connection that could not be opened, and every later statement on it would fail. */
export function forgetUnopened(sequelize: Sequelize): void {
  const manager = sequelize.connectionManager as unknown as ConnectionManager;
  const open = manager.getConnection.bind(manager);
  manager.getConnection = async (options) => {
    try {
      return await open(options);
    } catch (error) {
      delete manager.connections[options.uuid ?? 'default'];
      throw error;
    }
  };
}

import pg from 'pg';

interface Limits {
  statementMs: number;
  lockMs: number;
}

/** For the beginning of a transaction: where connections are shared, its limits must not outlast it. */
export const limitsSql = ({ statementMs, lockMs }: Limits): string =>
  `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${lockMs}`;

/**
 * A statement with its limits in one message, which PostgreSQL runs as one transaction: so neither a further round trip nor a
 * prepared statement is needed. Such a message takes no parameters; `$1` and the others become literals.
 */
export function limitedQuery(text: string, values: unknown[], limits: Limits): string {
  return `${limitsSql(limits)}; ${text.replace(/\$(\d+)/g, (_all, place: string) => literal(values[Number(place) - 1]))}`;
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`;
  return pg.escapeLiteral(String(value));
}

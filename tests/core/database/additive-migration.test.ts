import { describe, expect, it } from 'vitest';
import { migrate } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget } from '../../support/temporary-database.ts';

/** The last one of 0.1.0; what came before was never upgraded beside a running server. */
const lastOfFirstRelease = '0016-drawing-task';

/** What a server of the former release would stumble over while it still runs. */
const removals: [RegExp, string][] = [
  [/\bDROP\s+(TABLE|VIEW|SCHEMA|FUNCTION)\b/i, 'drops something'],
  [/\bDROP\s+COLUMN\b/i, 'drops a column'],
  [/\bALTER\s+TABLE\b[^;]*\bRENAME\b/i, 'renames something'],
  [/\bALTER\s+COLUMN\b[^;]*\b(TYPE|SET\s+NOT\s+NULL|DROP\s+DEFAULT)\b/i, 'changes a column'],
  [/\bADD\s+COLUMN\b(?![^;]*\bDEFAULT\b)[^;]*\bNOT\s+NULL\b/i, 'adds a column that every row must name'],
  [/\bADD\s+(CONSTRAINT|CHECK|UNIQUE|FOREIGN)\b/i, 'forbids rows that were allowed'],
];

/** The log is in its place before and after, with the same columns. */
const swap = 'CREATE FUNCTION logs_become_partitioned';

describe('migrations since the first release', () => {
  it('D1 only add, so that servers of the former release serve beside them', async () => {
    const place = await createTemporaryTarget('postgres');
    const statements: { name: string; sql: string }[] = [];
    const recorded = migrations.map(({ name, up }) => ({
      name,
      up: (context: Parameters<typeof up>[0]) => {
        const run = (sql: string) => {
          statements.push({ name, sql });
          return context.run(sql);
        };
        return up({ ...context, run });
      },
    }));
    await migrate(place.target, recorded);
    await place.remove();
    const later = statements.filter(({ name, sql }) => name > lastOfFirstRelease && !sql.startsWith(swap));
    expect(later.length).toBeGreaterThan(10);
    const found = later.flatMap(({ name, sql }) =>
      removals.filter(([pattern]) => pattern.test(sql)).map(([, what]) => `${name} ${what}: ${sql.slice(0, 80)}`),
    );
    expect(found).toEqual([]);
    // The rule is strict enough to find what the first releases did.
    const former = statements.filter(({ name }) => name <= lastOfFirstRelease);
    expect(former.some(({ sql }) => removals.some(([pattern]) => pattern.test(sql)))).toBe(true);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createAuditService } from '../../../../core/services/audit.ts';
import { exportAll } from '../../../../core/services/moving/export.ts';
import { checkExport, loadExport } from '../../../../core/services/moving/load.ts';
import { migrations } from '../../../../migrations/index.ts';
import { createTemporaryDatabase, createTemporaryTarget } from '../../../support/temporary-database.ts';

const mebibyte = 'x'.repeat(2 ** 20);
const jobs = 12;

describe('an export with large rows', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-export-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is loaded a few of them at a time', async () => {
    const old = await createTemporaryDatabase('sqlite');
    for (let id = 1; id <= jobs; id++) {
      await old.database.sequelize.query(
        `INSERT INTO tasks (request_id, user_id, platform, task_id, status, created_at, updated_at, submit_time, data)
         VALUES ('r${id}', 1, 'mj', 't${id}', 'SUCCESS', 1, 1, 1, :data)`,
        { replacements: { data: mebibyte } },
      );
    }
    const secretBox = { keyIds: [] };
    const folder = join(directory, 'export');
    const audit = createAuditService({ database: old.database });
    const from = { target: old.target, migrations, secretBox, audit, now: () => 1 };
    await exportAll(systemActor, from, { folder, onRows: () => undefined });
    const fresh = await createTemporaryTarget('postgres');
    const to = { target: fresh.target, migrations };
    const pages: number[] = [];
    const checked = await checkExport(folder, to, secretBox);
    await loadExport(systemActor, to, checked, (count) => pages.push(count));
    expect(pages.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(jobs);
    expect(Math.max(...pages)).toBeLessThan(jobs);
    await fresh.remove();
    await old.remove();
  });
});

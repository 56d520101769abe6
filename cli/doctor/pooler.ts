import type { PostgresTarget } from '../../core/config/database.ts';
import type { Speak } from '../text.ts';
import type { Finding } from './finding.ts';

/** Both addresses of a database behind a connection pooler; throws what keeps a server from starting. */
export async function checkPooler(target: PostgresTarget, speak: Speak): Promise<Finding> {
  const { hasLimits, requireOneDatabase } = await import('../../core/database/pooler.ts');
  await requireOneDatabase(target);
  return (await hasLimits(target))
    ? { check: 'pooler', status: 'ok', message: speak('doctor.pooler') }
    : { check: 'pooler', status: 'warn', message: speak('doctor.poolerNoLimits') };
}

import type { Config } from '../../core/config.ts';
import type { Speak } from '../text.ts';
import { type Finding, finding } from './finding.ts';

/** More than what comes in a moment of heavy load. */
const manyRows = 50_000;

/** Whether rows of the log reach the database of their own. */
export async function checkLogStore(config: Config, speak: Speak): Promise<Finding> {
  const { examineLogStore } = await import('../../core/services/upkeep/log-store-check.ts');
  const { migrations } = await import('../../migrations/index.ts');
  const { phase, fault, waiting, copied } = await examineLogStore(config, migrations);
  const check = 'logDatabase';
  if (fault?.code === 'logStore.away') return finding(check, 'warn', speak('doctor.logAway', { count: waiting }));
  if (fault?.code === 'database.encoding') {
    const { encoding = '' } = fault.details;
    return finding(check, 'fail', speak('doctor.logEncoding', { encoding: String(encoding) }));
  }
  if (fault) return finding(check, 'fail', speak('doctor.logWrong', { code: fault.code }));
  if (phase === undefined) return finding(check, 'ok', speak('doctor.logUnused'));
  if (phase === 'filling') return finding(check, 'ok', speak('doctor.logFilling', { copied, count: waiting }));
  if (phase !== 'used') return finding(check, 'fail', speak('doctor.logReturning'));
  if (waiting > manyRows) return finding(check, 'warn', speak('doctor.logBehind', { count: waiting }));
  return finding(check, 'ok', speak('doctor.log', { count: waiting }));
}

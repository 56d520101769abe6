import type { Config } from '../../core/config.ts';
import type { Speak } from '../text.ts';
import { type Finding, finding } from './finding.ts';

/** How the replica is now: what it must show up to the moment of the question, and how long that takes it. */
export async function checkReplica({ database, readReplica }: Config, speak: Speak): Promise<Finding> {
  const { examineReplica } = await import('../../core/services/upkeep/replica-check.ts');
  if (database.engine === 'sqlite' || !readReplica) return finding('replica', 'ok', '');
  const { maxLagSeconds } = readReplica;
  const found = await examineReplica(database, readReplica);
  const warn = (message: string) => finding('replica', 'warn', message);
  if (found.fault === 'behind') return warn(speak('doctor.replicaBehind', { seconds: maxLagSeconds }));
  if (found.fault === 'notReplica') return warn(speak('doctor.replicaNone'));
  if (found.fault === 'otherDatabase') return warn(speak('doctor.replicaOther'));
  if (found.fault === 'unreachable') return warn(speak('doctor.replicaDown', { reason: found.reason }));
  return finding('replica', 'ok', speak('doctor.replica', { seconds: found.lagSeconds.toFixed(1) }));
}

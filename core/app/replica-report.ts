import type { ReplicaFault, ReplicaState } from '../database/report-database.ts';
import type { Logger } from '../lib/logger.ts';

const reasons: Record<ReplicaFault, string> = {
  unreachable: 'it cannot be reached',
  notReplica: 'it is not a replica',
  otherDatabase: 'it is a replica of another database',
  behind: 'it is too far behind',
};

/** A line of the server's log each time reads move from one database to the other. */
export function reportReplica(logger: Logger, { fault, lagSeconds }: ReplicaState): void {
  if (fault === undefined)
    logger.log('info', 'lists and reports are read from the replica', { lag_seconds: lagSeconds });
  else if (fault !== 'starting') {
    const fields = { reason: reasons[fault], lag_seconds: lagSeconds };
    logger.log('warn', 'lists and reports are read from the primary, because the replica cannot be used', fields);
  }
}

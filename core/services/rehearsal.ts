import type { Database } from '../database/connect.ts';
import type { Change } from '../schemas/audit.ts';
import type { ServedModels } from './model/served-model.ts';
import type { OptionService } from './option/option.ts';

interface RehearsalDependencies {
  database: Database;
  options: Pick<OptionService, 'load'>;
  servedModels: Pick<ServedModels, 'forget'>;
}

export interface Rehearsed<T> {
  result: T;
  changes: Change[];
}

/**
 * The dry run of the command line: the services do the work, with every check, and all of it is taken back. `changes` is what
 * they would have written to the audit log. Nothing leaves the process: no call, no notice, no booking.
 */
export function createRehearsalService({ database, options, servedModels }: RehearsalDependencies) {
  return {
    async rehearse<T>(work: () => Promise<T>): Promise<Rehearsed<T>> {
      try {
        return await database.rehearse(work);
      } finally {
        // What the services keep in memory was changed along with the rows.
        servedModels.forget();
        await options.load();
      }
    },
  };
}

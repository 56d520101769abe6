import type { Database } from '../../core/database/connect.ts';
import { createReportDatabase } from '../../core/database/report-database.ts';

/** Lists and reports of an installation without a replica. */
export const primaryReports = (primary: Database) =>
  createReportDatabase({ primary, replica: undefined, onChange: () => {} });

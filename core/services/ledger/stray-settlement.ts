import type { Ledger } from '../../billing/ledger.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { StraySettlement } from '../../schemas/stray-settlement.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';

export interface StraySettlementDependencies {
  database: Database;
  ledger: Pick<Ledger, 'bookParked'>;
  audit: Pick<AuditService, 'record'>;
}

// SQL throughout: the table is the ledger's.

const maxShown = 1000;

/** What the ledger found without a hold, after the database was put back to an older copy of itself. */
export function createStraySettlementService({ database, ledger, audit }: StraySettlementDependencies) {
  /** What waits first, then the newest. */
  async function list(actor: Actor): Promise<StraySettlement[]> {
    requireRole(actor, role.root);
    return database.select<StraySettlement>(
      `SELECT id, user_id, token_id, channel_id, quota, state, found_at FROM stray_settlements
       ORDER BY CASE state WHEN 'parked' THEN 0 ELSE 1 END, found_at DESC, id LIMIT ${maxShown}`,
    );
  }

  async function book(actor: Actor, id: string): Promise<void> {
    requireRole(actor, role.root);
    if (!(await ledger.bookParked(id))) throw notWaiting(id);
    await audit.record(actor, { action: 'settlement.book', id });
  }

  /** It was booked before: the row stays, so that it is not booked when it comes again. */
  async function drop(actor: Actor, id: string): Promise<void> {
    requireRole(actor, role.root);
    await database.transaction(async (transaction) => {
      const rows = await database.select(
        `UPDATE stray_settlements SET state = 'dropped' WHERE id = :id AND state = 'parked' RETURNING id`,
        { id },
        transaction,
      );
      if (rows.length === 0) throw notWaiting(id);
      await audit.record(actor, { action: 'settlement.drop', id }, transaction);
    });
  }

  return { list, book, drop };
}

const notWaiting = (id: string) => new AppError('settlement.notWaiting', { id });

import { createJobLocks } from '../jobs/job-lock.ts';
import { createRunLocks } from '../jobs/run-lock.ts';
import { createRunProgress } from '../services/channel/run-progress.ts';
import { createLedgerProofs } from '../services/ledger/ledger-proof.ts';
import { createStraySettlementService } from '../services/ledger/stray-settlement.ts';
import { createRedemptionService } from '../services/wallet/redemption.ts';
import { createTopUpService } from '../services/wallet/top-up.ts';
import { createWalletService } from '../services/wallet/wallet.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';

/** How long a proof stays alone when its process has died. */
const proofSeconds = 60;

/** Money that comes in, and settlements that found no home. */
export function createWalletServices({
  now,
  logger,
  database,
  ledger,
  secretBox,
  options,
  logs,
  audit,
}: Installation & CommonServices) {
  const onAlarm = (text: string, fields: Record<string, string | number>) => logger.log('error', text, fields);
  const locks = createJobLocks({ database, leaseSeconds: proofSeconds });
  const runs = createRunLocks({ locks, leaseSeconds: proofSeconds });
  return {
    ledgerProofs: createLedgerProofs({
      now,
      ledger,
      takeRun: runs.take,
      progress: createRunProgress({ database, isTaken: runs.isTaken }),
      onError: warn(logger, 'the ledger could not be verified'),
    }),
    redemptions: createRedemptionService({ now, database, secretBox, options, logs, audit }),
    topUps: createTopUpService({ database, options }),
    wallet: createWalletService({ now, database, secretBox, options, logs, audit, onAlarm }),
    straySettlements: createStraySettlementService({ database, ledger, audit }),
  };
}

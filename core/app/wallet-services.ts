import { createStraySettlementService } from '../services/ledger/stray-settlement.ts';
import { createRedemptionService } from '../services/wallet/redemption.ts';
import { createTopUpService } from '../services/wallet/top-up.ts';
import { createWalletService } from '../services/wallet/wallet.ts';
import type { CommonServices } from './common-services.ts';
import type { Installation } from './installation.ts';

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
  return {
    redemptions: createRedemptionService({ now, database, secretBox, options, logs, audit }),
    topUps: createTopUpService({ database, options }),
    wallet: createWalletService({ now, database, options, logs, audit, onAlarm }),
    straySettlements: createStraySettlementService({ database, ledger, audit }),
  };
}

import { ledgerProofsSchema } from '../../schemas/ledger-proof.ts';
import type { LedgerProofService } from '../../services/ledger/ledger-proof.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

export function ledgerRoutes({ ledgerProofs }: { ledgerProofs: LedgerProofService }): ConsoleRoute[] {
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/ledger/proofs',
      access: 'admin',
      response: responses.data(ledgerProofsSchema),
      handle: ({ actor }) => ledgerProofs.list(actor),
    }),
    consoleRoute({
      method: 'POST',
      path: '/api/ledger/verify',
      access: 'admin',
      rate: 'critical',
      response: responses.data(ledgerProofsSchema),
      handle: ({ actor }) => ledgerProofs.start(actor),
    }),
  ];
}

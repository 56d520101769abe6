import { queryOptions } from '@tanstack/react-query';
import type { LedgerProof, LedgerProofs } from '../../../core/schemas/ledger-proof.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export type { LedgerProof };

const whileRunningMs = 1000;

/** The last proofs; asked again each second while one is under way. */
export const ledgerProofOptions = queryOptions({
  queryKey: ['ledger-proofs'],
  queryFn: ({ signal }) => api.get<LedgerProofs>('/api/ledger/proofs', { signal }),
  refetchInterval: ({ state }) => (state.data?.running ? whileRunningMs : false),
});

export async function startLedgerProof(): Promise<void> {
  queryClient.setQueryData(ledgerProofOptions.queryKey, await api.post<LedgerProofs>('/api/ledger/verify'));
}

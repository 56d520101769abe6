import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { PayOrder, RewardTransfer, TopUp, TopUpComplete, TopUpInfo } from '../../../core/schemas/wallet.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';
import { refreshSelf } from './self.ts';
import { refreshInspection } from './user-inspection.ts';

/** What can be bought online, and how. */
export const useTopUpInfo = () =>
  useQuery({
    queryKey: ['top-up', 'info'],
    queryFn: ({ signal }) => api.get<TopUpInfo>('/api/user/topup/info', { signal }),
    staleTime: 60_000,
  });

/** What an amount costs, as text with two decimals; a refusal says why. */
export const usePrice = (amount: number, isAsked: boolean) =>
  useQuery({
    queryKey: ['top-up', 'price', amount],
    queryFn: async ({ signal }) =>
      (await api.wholePost<string>('/api/user/amount', { amount, top_up_code: '' }, { signal })).data,
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export const listOrders = ({ page, pageSize, signal }: ListQuery<Record<string, never>>): Promise<ListResult<TopUp>> =>
  api.get('/api/user/topup/self', { query: { p: page, page_size: pageSize }, signal });

/** Only admins may; the entries of the user are read again. */
export async function completeOrder(order: TopUpComplete): Promise<TopUp> {
  try {
    return await api.post<TopUp>('/api/user/topup/complete', order);
  } finally {
    void refreshInspection();
  }
}

export function useWalletActions() {
  /** The quota that was added. */
  const redeem = useMutation({
    mutationFn: (key: string) => api.post<number>('/api/user/topup', { key }),
    // Also after a refusal: the code may be redeemed although the first response was lost.
    onSettled: refreshSelf,
  });
  /** The form the browser posts to the payment service, and where to. */
  const pay = useMutation({
    mutationFn: (order: PayOrder) =>
      api.wholePost<Record<string, string>, { url: string }>('/api/user/pay', { ...order, top_up_code: '' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['top-up', 'list'] }),
  });
  const transferReward = useMutation({
    mutationFn: (transfer: RewardTransfer) => api.post('/api/user/aff_transfer', transfer),
    onSettled: refreshSelf,
  });
  return { redeem: redeem.mutateAsync, pay: pay.mutateAsync, transferReward: transferReward.mutateAsync };
}

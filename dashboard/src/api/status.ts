import { useQuery } from '@tanstack/react-query';
import type { Status } from '../../../core/schemas/status.ts';
import { createStoredValue } from '../state/stored-value.ts';
import { api } from './client.ts';

export type { Status };

/** What applies until the first response of a new browser. */
const unknownStatus: Status = {
  version: '',
  start_time: 0,
  setup: true,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  docs_link: '',
  server_address: '',
  price: 7.3,
  min_topup: 1,
  enable_online_topup: false,
  top_up_link: '',
  email_verification: false,
  turnstile_check: false,
  turnstile_site_key: '',
  github_oauth: false,
  github_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  wechat_login: false,
  wechat_qrcode: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
  chat_link: '',
  chat_link2: '',
  chats: [],
  quota_per_unit: 500_000,
  display_in_currency: true,
  enable_batch_update: false,
  enable_drawing: false,
  enable_task: false,
  enable_data_export: false,
  data_export_default_time: 'hour',
  data_export_interval: 5,
  default_collapse_sidebar: false,
  mj_notify_enabled: false,
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  ledger_proved_at: 0,
};

const storedStatus = createStoredValue<Status | undefined>('status', (stored) =>
  typeof stored === 'object' && stored !== null ? { ...unknownStatus, ...stored } : undefined,
);

function useStatusQuery() {
  return useQuery({
    queryKey: ['status'],
    queryFn: async ({ signal }) => {
      const status = await api.get<Status>('/api/status', { signal });
      storedStatus.set(status);
      return status;
    },
    // The last known one draws the page; the response corrects it.
    placeholderData: () => storedStatus.get(),
    staleTime: 60_000,
  });
}

/** Public facts about this installation; the last known one when it cannot be read. */
export function useStatus(): Status {
  return useStatusQuery().data ?? storedStatus.get() ?? unknownStatus;
}

/** Where this installation is called: as root has set it, else what the browser's bar says. */
export const usePublicAddress = (): string => useStatus().server_address || location.origin;

/** Whether the status has been read in this visit, or could not be. */
export function useStatusState(): { isCurrent: boolean; error: Error | null } {
  const { isSuccess, isPlaceholderData, error } = useStatusQuery();
  return { isCurrent: isSuccess && !isPlaceholderData, error };
}

import type { OptionService } from '../../services/option.ts';
import { version } from '../../version.ts';
import { ok } from '../envelope.ts';
import type { ConsoleRoute } from '../route.ts';

/** Unix seconds at which this process started. */
const startTime = Math.floor(Date.now() / 1000);

/** What consoles read before anybody has signed in (console reference, 4.1). No secrets. */
export function statusRoutes({ options }: { options: Pick<OptionService, 'get'> }): ConsoleRoute[] {
  const { get } = options;
  return [
    {
      method: 'GET',
      path: '/api/status',
      access: 'public',
      handler: () =>
        ok({
          version,
          start_time: startTime,
          email_verification: get('EmailVerificationEnabled'),
          github_oauth: get('GitHubOAuthEnabled'),
          github_client_id: get('GitHubClientId'),
          linuxdo_oauth: get('LinuxDOOAuthEnabled'),
          linuxdo_client_id: get('LinuxDOClientId'),
          telegram_oauth: get('TelegramOAuthEnabled'),
          telegram_bot_name: get('TelegramBotName'),
          wechat_login: get('WeChatAuthEnabled'),
          wechat_qrcode: get('WeChatAccountQRCodeImageURL'),
          system_name: get('SystemName'),
          logo: get('Logo'),
          footer_html: get('Footer'),
          server_address: get('ServerAddress'),
          price: get('Price'),
          min_topup: get('MinTopUp'),
          enable_online_topup: [get('PayAddress'), get('EpayId'), get('EpayKey')].every(Boolean),
          top_up_link: get('TopUpLink'),
          turnstile_check: get('TurnstileCheckEnabled'),
          turnstile_site_key: get('TurnstileSiteKey'),
          chat_link: get('ChatLink'),
          chat_link2: get('ChatLink2'),
          chats: get('Chats'),
          quota_per_unit: get('QuotaPerUnit'),
          display_in_currency: get('DisplayInCurrencyEnabled'),
          enable_batch_update: false,
          enable_drawing: get('DrawingEnabled'),
          enable_task: get('TaskEnabled'),
          enable_data_export: get('DataExportEnabled'),
          data_export_default_time: get('DataExportDefaultTime'),
          default_collapse_sidebar: get('DefaultCollapseSidebar'),
          mj_notify_enabled: get('MjNotifyEnabled'),
        }),
    },
  ];
}

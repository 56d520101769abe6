import { z } from 'zod';
import type { OptionService } from '../../services/option.ts';
import { version } from '../../version.ts';
import { answers, type ConsoleRoute, consoleRoute } from '../route.ts';

/** Unix seconds at which this process started. */
const startTime = Math.floor(Date.now() / 1000);

const statusSchema = z.object({
  version: z.string(),
  start_time: z.number(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  price: z.number(),
  min_topup: z.number(),
  enable_online_topup: z.boolean(),
  top_up_link: z.string(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  chat_link: z.string(),
  chat_link2: z.string(),
  chats: z.array(z.record(z.string(), z.string())),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  enable_batch_update: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  default_collapse_sidebar: z.boolean(),
  mj_notify_enabled: z.boolean(),
});

/** What consoles read before anybody has signed in (console reference, 4.1). No secrets. */
export function statusRoutes({ options }: { options: Pick<OptionService, 'get'> }): ConsoleRoute[] {
  const { get } = options;
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/status',
      access: 'public',
      summary: 'What everybody may know about this installation',
      answer: answers.data(statusSchema),
      handle: () => ({
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
    }),
  ];
}

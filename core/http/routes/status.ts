import { z } from 'zod';
import type { OidcProvider } from '../../integrations/oidc/oidc.ts';
import { statusSchema } from '../../schemas/status.ts';
import type { SetupService } from '../../services/account/setup.ts';
import type { OptionService } from '../../services/option/option.ts';
import { version } from '../../version.ts';
import { type ConsoleRoute, consoleRoute, responses } from '../route.ts';

/** Unix seconds at which this process started. */
const startTime = Math.floor(Date.now() / 1000);

interface StatusRouteDependencies {
  options: Pick<OptionService, 'get'>;
  setup: Pick<SetupService, 'isDone'>;
  oidc: Pick<OidcProvider, 'authorizationEndpoint'>;
  /** Unix seconds of the last proof of the ledger; 0 when it did not hold. */
  provedAt(): Promise<number>;
  /** Rejects when the database does not respond. */
  pingDatabase(): Promise<unknown>;
}

/** One question to the database serves all who ask in this time. */
const pingEveryMs = 10_000;
const proofEveryMs = 30_000;

/** What consoles read before the user has signed in (console reference, 4.1). No secrets. */
export function statusRoutes({
  options,
  setup,
  oidc,
  provedAt,
  pingDatabase,
}: StatusRouteDependencies): ConsoleRoute[] {
  const { get } = options;
  let lastProof: { at: number; result: Promise<number> } | undefined;
  let lastPing: { at: number; result: Promise<unknown> } | undefined;

  function ping(): Promise<unknown> {
    if (!lastPing || performance.now() - lastPing.at > pingEveryMs) {
      lastPing = { at: performance.now(), result: pingDatabase() };
    }
    return lastPing.result;
  }

  /** Consoles read the status while the database does not respond, too. */
  function readProvedAt(): Promise<number> {
    if (!lastProof || performance.now() - lastProof.at > proofEveryMs) {
      lastProof = { at: performance.now(), result: provedAt().catch(() => 0) };
    }
    return lastProof.result;
  }

  const textRoute = (path: string, option: 'Notice' | 'About' | 'HomePageContent') =>
    consoleRoute({
      method: 'GET',
      path,
      access: 'public',
      response: responses.data(z.string()),
      handle: () => get(option),
    });

  return [
    consoleRoute({
      method: 'GET',
      path: '/api/status',
      access: 'public',
      response: responses.data(statusSchema),
      handle: async () => ({
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
        data_export_interval: get('DataExportInterval'),
        default_collapse_sidebar: get('DefaultCollapseSidebar'),
        mj_notify_enabled: get('MjNotifyEnabled'),
        oidc_enabled: get('oidc.enabled'),
        oidc_client_id: get('oidc.client_id'),
        oidc_authorization_endpoint: get('oidc.enabled') ? await oidc.authorizationEndpoint() : '',
        docs_link: get('general_setting.docs_link'),
        demo_site_enabled: get('DemoSiteEnabled'),
        self_use_mode_enabled: get('SelfUseModeEnabled'),
        ledger_proved_at: await readProvedAt(),
        setup: await setup.isDone(),
      }),
    }),
    textRoute('/api/notice', 'Notice'),
    textRoute('/api/about', 'About'),
    textRoute('/api/home_page_content', 'HomePageContent'),
    consoleRoute({
      method: 'GET',
      path: '/api/status/test',
      access: 'admin',
      response: responses.whole(z.object({ success: z.literal(true), message: z.string() })),
      async handle() {
        await ping();
        return { success: true, message: 'Server is running' };
      },
    }),
  ];
}

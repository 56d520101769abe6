import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHiddenOption, isOptionKey } from '../../../../core/schemas/option.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

/** Checklist lines, a setting, what it is set to, and the field of the status that follows. The order is the one they need. */
const fields: [lines: string, key: string, text: string, field: string, value: unknown][] = [
  ['A-059 G-224', 'TopUpLink', 'https://shop.example.com/', 'top_up_link', 'https://shop.example.com/'],
  ['A-060 A-132', 'ChatLink', 'https://chat.example.com/', 'chat_link', 'https://chat.example.com/'],
  ['A-060 A-132', 'ChatLink2', 'https://draw.example.com/', 'chat_link2', 'https://draw.example.com/'],
  ['A-061 A-132', 'QuotaPerUnit', '1000000', 'quota_per_unit', 1_000_000],
  ['A-063 A-132', 'DisplayInCurrencyEnabled', 'false', 'display_in_currency', false],
  ['A-065 A-132', 'DefaultCollapseSidebar', 'true', 'default_collapse_sidebar', true],
  ['A-066 A-133', 'DrawingEnabled', 'false', 'enable_drawing', false],
  ['A-133', 'TaskEnabled', 'false', 'enable_task', false],
  ['A-067 A-132', 'MjNotifyEnabled', 'true', 'mj_notify_enabled', true],
  ['A-074 A-133', 'DataExportEnabled', 'false', 'enable_data_export', false],
  ['A-075', 'DataExportInterval', '7', 'data_export_interval', 7],
  ['A-076 A-133', 'DataExportDefaultTime', 'week', 'data_export_default_time', 'week'],
  [
    'A-084 A-132',
    'Chats',
    '[{"Desk":"https://c.example/?k={key}"}]',
    'chats',
    [{ Desk: 'https://c.example/?k={key}' }],
  ],
  ['A-091 G-224', 'ServerAddress', 'https://gate.example.com', 'server_address', 'https://gate.example.com'],
  ['A-097', 'Price', '6.5', 'price', 6.5],
  ['A-098 G-224', 'MinTopUp', '3', 'min_topup', 3],
  ['A-103 A-134', 'EmailVerificationEnabled', 'true', 'email_verification', true],
  ['A-113 A-134', 'GitHubClientId', 'github-1', 'github_client_id', 'github-1'],
  ['A-105 A-134', 'GitHubOAuthEnabled', 'true', 'github_oauth', true],
  ['A-114 A-134', 'LinuxDOClientId', 'linuxdo-1', 'linuxdo_client_id', 'linuxdo-1'],
  ['A-105 A-134', 'LinuxDOOAuthEnabled', 'true', 'linuxdo_oauth', true],
  ['A-117 A-134', 'WeChatAccountQRCodeImageURL', '/wechat.png', 'wechat_qrcode', '/wechat.png'],
  ['A-105 A-115 A-134', 'WeChatAuthEnabled', 'true', 'wechat_login', true],
  ['A-119 A-134', 'TelegramBotName', 'gate_bot', 'telegram_bot_name', 'gate_bot'],
  ['A-105 A-118 A-134', 'TelegramOAuthEnabled', 'true', 'telegram_oauth', true],
  ['A-120 A-134', 'TurnstileSiteKey', 'site-1', 'turnstile_site_key', 'site-1'],
  ['A-120 A-121 A-134', 'TurnstileCheckEnabled', 'true', 'turnstile_check', true],
  ['A-123 A-132', 'SystemName', 'Our gate', 'system_name', 'Our gate'],
  ['A-124 A-132', 'Logo', '/ours.png', 'logo', '/ours.png'],
  ['A-127 A-132', 'Footer', '<b>Ours</b>', 'footer_html', '<b>Ours</b>'],
];

/** Switches that want something else first. */
const before: Record<string, [key: string, text: string]> = {
  WeChatAuthEnabled: ['WeChatServerAddress', 'https://wechat.example.com'],
  TelegramOAuthEnabled: ['TelegramBotToken', '1:secret'],
  TurnstileCheckEnabled: ['TurnstileSecretKey', 'secret'],
};

const pages: [lines: string, key: string, path: string][] = [
  ['A-122', 'Notice', '/api/notice'],
  ['A-125', 'HomePageContent', '/api/home_page_content'],
  ['A-126', 'About', '/api/about'],
];

describe('the status', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  const guest = () => createConsoleClient(gateway.url);
  const put = (key: string, value: string) => root.data(root.put('/api/option/', { key, value }));
  const status = (): Promise<Record<string, unknown>> => guest().data(guest().get('/api/status'));

  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  afterAll(() => gateway.stop());

  it.each(fields)(
    '%s follows %s at once, and in nothing but its own field',
    async (_lines, key, text, field, value) => {
      const needed = before[key];
      if (needed) {
        const without = await root.put('/api/option/', { key, value: text });
        expect(without).toMatchObject({ success: false });
        expect(without.message).toContain(needed[0]);
        await put(...needed);
      }
      const former = await status();
      expect(former[field]).not.toEqual(value);
      await put(key, text);
      expect(await status()).toEqual({ ...former, [field]: value });
      const listed: { key: string; value: string }[] = await root.data(root.get('/api/option/'));
      const isHidden = isOptionKey(key) && isHiddenOption(key);
      expect(listed.find((entry) => entry.key === key)?.value).toBe(isHidden ? undefined : text);
    },
  );

  it.each(pages)('%s leaves %s to %s, for a guest too', async (_lines, key, path) => {
    await put(key, `# ${key}`);
    expect(await guest().data(guest().get(path))).toBe(`# ${key}`);
  });
});

import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { systemActor } from '../../core/schemas/actor.ts';
import { codeOf } from './support/authenticator.ts';
import { type Look, testPassword } from './support/console-browser.ts';
import { choose, type Picture, panel, press, setUpShowcase, takePictures, twoLooks } from './support/gallery.ts';

const providers = {
  GitHubClientId: 'id',
  GitHubClientSecret: 'secret',
  GitHubOAuthEnabled: 'true',
  LinuxDOClientId: 'id',
  LinuxDOClientSecret: 'secret',
  LinuxDOOAuthEnabled: 'true',
  'oidc.client_id': 'id',
  'oidc.client_secret': 'secret',
  'oidc.authorization_endpoint': 'https://id.example.com/authorize',
  'oidc.token_endpoint': 'https://id.example.com/token',
  'oidc.user_info_endpoint': 'https://id.example.com/me',
  'oidc.enabled': 'true',
  WeChatServerAddress: 'https://wechat.example.com',
  WeChatServerToken: 'secret',
  WeChatAuthEnabled: 'true',
  TelegramBotToken: '123456:ABC',
  TelegramBotName: 'gate_bot',
  TelegramOAuthEnabled: 'true',
};
const shortNotice = '**Maintenance** on Sunday, 02:00 to 03:00 (UTC). Calls are queued, none is lost.';
const longNotice = [
  '# 系统升级公告',
  shortNotice,
  ...Array.from(
    { length: 24 },
    (_, index) =>
      `${index + 1}. 第 ${index + 1} 项变更：新的模型与价格，详见 https://example.com/changes/2026/11/a-rather-long-address-without-any-place-to-break-${index}`,
  ),
  '| Model | Input | Output |\n|---|---|---|\n| gpt-4o | $2.50 | $10.00 |',
].join('\n\n');

/** Where there is room for neither a phone's look nor a desk's, and a desk's window at 200 % zoom. */
const between: Look[] = [
  { language: 'zh', theme: 'light', width: 768 },
  { language: 'en', theme: 'dark', width: 1024 },
  { language: 'en', theme: 'light', width: 720 },
];
const wide = ['channel', 'log?range=all', 'user', 'setting?tab=ratio', 'setting?tab=system', 'pricing', '?range=week'];

describe('pictures of states', () => {
  const stand = setUpShowcase();

  const set = async (values: Record<string, string>) => {
    const entries = Object.entries(values).map(([key, value]) => ({ key, value }));
    await stand.gateway.app.services.options.setMany(systemActor, entries);
    await stand.gateway.gateway.refresh();
  };
  const withOptions = (values: Record<string, string>): Pick<Picture, 'begin' | 'end'> => ({
    begin: () => set(values),
    end: () =>
      set(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === 'true' ? 'false' : '']))),
  });
  /** Once signed in: with it, no visit could be. */
  async function turnOnSecondFactor(page: Page): Promise<void> {
    const { twoFactors } = stand.gateway.app.services;
    const dave = await stand.gateway.app.database.users.findOne({ where: { username: 'dave' }, raw: true });
    const actor = { ...systemActor, id: dave?.id ?? 0 };
    if ((await twoFactors.status(actor)).enabled) return;
    const { secret } = await twoFactors.setUp(actor, testPassword);
    await twoFactors.enable(actor, codeOf(secret));
    await page.reload();
    await page.locator('h1').first().waitFor();
  }

  takePictures(
    [
      { name: 'outside-login', path: '/login', ...withOptions(providers) },
      { name: 'outside-register', path: '/register', looks: twoLooks, ...withOptions(providers) },
      { name: 'outside-personal', path: '/setting?tab=personal', as: 'alice', ...withOptions(providers) },
      { name: 'notice', path: '/', looks: twoLooks, ...withOptions({ Notice: shortNotice }) },
      { name: 'notice-long', path: '/', as: 'alice', ...withOptions({ Notice: longNotice }) },
      {
        name: 'second-factor',
        path: '/setting?tab=personal',
        as: 'dave',
        looks: twoLooks,
        begin: async () => void (await stand.gateway.addUser('dave', 0)),
        prepare: turnOnSecondFactor,
      },
      ...['channel', 'log', 'setting?tab=system', '?range=week'].map((page) => gone(page)),
      ...wide.map((page) => ({ name: `between-${nameOf(page)}`, path: `/${page}`, as: 'root', looks: between })),
      ...refused,
      ...questions,
    ],
    stand,
  );
});

const nameOf = (page: string) => page.replace('setting?tab=', 'setting-').replace(/\?.*/, '') || 'overview';

/** The server responds no more; the console's own files are there. */
function gone(page: string): Picture {
  return {
    name: `gone-${nameOf(page)}`,
    path: `/${page}`,
    as: 'root',
    looks: twoLooks,
    prepare: async (one) => {
      await one.route(/\/api\/(?!status)/, (route) => route.abort());
      await one.reload();
      await one.getByRole('alert').first().waitFor();
      await one.waitForTimeout(1000);
      await one.unroute(/\/api\/(?!status)/);
    },
  };
}

/** Forms that were sent as they came. */
const refused: Picture[] = [
  panel('refused-login', '/login', undefined, (page) => press(page.locator('main'), /^(登录|Sign in)$/)),
  panel('refused-register', '/register', undefined, (page) => press(page.locator('main'), /^(注册|Register)$/)),
  panel('refused-token', '/token', 'alice', async (page) => {
    await press(page, /^(添加令牌|Add token)$/);
    await page.locator('input[name=name]').fill('a name that is much longer than thirty characters');
    await press(page, /^(创建|Create)$/);
  }),
  panel('refused-user', '/user/add', 'root', async (page) => {
    await page.locator('input[name=username]').fill('a name too long for a user');
    await press(page, /^(创建|Create)$/);
  }),
  panel('refused-channel', '/channel/add', 'root', async (page) => {
    await press(page, 'OpenAI');
    await press(page, /^(保存并测试|Save and test)$/);
  }),
  panel('refused-limit', '/limit', 'root', async (page) => {
    await press(page, /^(添加限额|Add limit)$/);
    await press(page, /^(创建|Create)$/);
  }),
];

/** What is asked before it is done. */
const questions: Picture[] = [
  panel('ask-promote', '/user', 'root', (page) => choose(page, 'member-3', /^(提升为管理员|Promote.*)$/)),
  panel('ask-two-factor', '/user', 'root', (page) =>
    choose(page, 'member-3', /^(关闭双因素认证|Turn off two-factor.*)$/),
  ),
  panel('ask-codes', '/redemption', 'root', (page) => press(page, /^(清除无效兑换码|Clear invalid codes)$/)),
  panel('ask-sessions', '/user/2?tab=sessions', 'root', (page) => press(page, /^(结束全部会话|End all sessions)$/)),
  panel('ask-leave', '/user/edit/2', 'root', async (page) => {
    await page.locator('input[name=display_name]').fill('another');
    await press(page, /^(取消|Cancel)$/);
  }),
  panel('ask-all-channels', '/channel', 'root', (page) => press(page, /^(全部渠道|All channels)$/)),
  panel('columns', '/channel', 'root', async (page) => {
    if ((page.viewportSize()?.width ?? 0) > 600) await press(page, /^(显示的列|选择列|Columns|Choose columns)$/);
  }),
];

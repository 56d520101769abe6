import { describe } from 'vitest';
import { testPassword } from './support/console-browser.ts';
import { choose, type Picture, panel, press, setUpShowcase, takePictures } from './support/gallery.ts';

const pictures: Picture[] = [
  { name: 'home-guest', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'reset', path: '/reset' },
  { name: 'reset-confirm', path: '/user/reset?email=a@example.com&token=abc' },
  { name: 'login-code', path: '/login/code' },
  { name: 'about', path: '/about' },
  { name: 'pricing-guest', path: '/pricing' },
  { name: 'not-found', path: '/nothing/here' },
  ...both('overview', '/?range=week'),
  ...both('home', '/home'),
  ...both('pricing', '/pricing'),
  ...both('playground', '/playground'),
  ...both('token', '/token'),
  ...both('log', '/log?range=all'),
  ...both('detail', '/detail'),
  ...both('midjourney', '/midjourney'),
  ...both('task', '/task'),
  ...both('topup', '/topup'),
  ...both('personal', '/setting?tab=personal'),
  { name: 'forbidden', path: '/channel', as: 'alice' },
  { name: 'channel', path: '/channel', as: 'root' },
  { name: 'channel-tag', path: '/channel?tag_mode=true', as: 'root' },
  { name: 'channel-add', path: '/channel/add', as: 'root' },
  { name: 'channel-object', path: '/channel/2?range=week', as: 'root' },
  { name: 'channel-object-health', path: '/channel/2?tab=health', as: 'root' },
  { name: 'channel-object-models', path: '/channel/2?tab=models', as: 'root' },
  { name: 'channel-object-keys', path: '/channel/2?tab=keys', as: 'root' },
  { name: 'channel-object-settings', path: '/channel/2?tab=settings', as: 'root' },
  { name: 'channel-object-requests', path: '/channel/1?tab=requests&range=all', as: 'root' },
  ...both('model-object', '/model/gpt-4o-mini?range=week'),
  { name: 'model-object-health', path: '/model/gpt-4o?tab=health', as: 'root' },
  { name: 'channel-edit', path: '/channel/edit/2', as: 'root' },
  { name: 'user', path: '/user', as: 'root' },
  { name: 'user-object', path: '/user/3?range=month', as: 'root' },
  { name: 'user-object-tokens', path: '/user/2?tab=tokens', as: 'root' },
  { name: 'user-object-credit', path: '/user/2?tab=credit', as: 'root' },
  { name: 'token-object', path: '/token/2?range=month', as: 'alice' },
  { name: 'token-object-limits', path: '/token/2?tab=limits', as: 'alice' },
  { name: 'user-object-limits', path: '/user/2?tab=limits', as: 'root' },
  { name: 'user-object-sessions', path: '/user/2?tab=sessions', as: 'root' },
  { name: 'channel-object-history', path: '/channel/2?tab=history', as: 'root' },
  { name: 'limit', path: '/limit', as: 'root' },
  { name: 'setup', path: '/setup', as: 'root' },
  { name: 'docs', path: '/docs' },
  { name: 'docs-api', path: '/docs/api' },
  { name: 'log-errors', path: '/log?range=all&type=5', as: 'root' },
  { name: 'user-add', path: '/user/add', as: 'root' },
  { name: 'user-edit', path: '/user/edit/2', as: 'root' },
  { name: 'redemption', path: '/redemption', as: 'root' },
  { name: 'audit', path: '/audit', as: 'root' },
  {
    name: 'ledger',
    path: '/ledger',
    as: 'root',
    prepare: async (page) => {
      await press(page, /^(立即核对|Prove now)$/);
      await page.getByRole('table').first().waitFor();
    },
  },
  {
    name: 'explain',
    path: '/explain?model=gpt-4o',
    as: 'root',
    prepare: async (page) => {
      await page.getByRole('switch').first().click();
      await press(page, /^(分析|Explain)$/);
      await page.getByRole('table').first().waitFor();
    },
  },
  ...['operation', 'system', 'other', 'ratio'].map((tab) => ({
    name: `setting-${tab}`,
    path: `/setting?tab=${tab}`,
    as: 'root' as const,
  })),
  {
    name: 'menu-user',
    path: '/token',
    as: 'alice',
    prepare: (page) => press(page, /的账户菜单$|^Account menu of/),
  },
  {
    name: 'palette',
    path: '/token',
    as: 'root',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  panel('navigation', '/token', 'root', async (page) => {
    if ((page.viewportSize()?.width ?? 0) < 600) await press(page, /^(菜单|Menu)$/);
  }),
  panel('token-add', '/token', 'alice', (page) => press(page, /^(添加令牌|Add token)$/)),
  panel('token-edit', '/token', 'alice', (page) => choose(page, '生产环境', /^(编辑|Edit)$/)),
  panel('token-key', '/token', 'alice', (page) => choose(page, '生产环境', /^(查看密钥|View key)$/)),
  panel('token-remove', '/token', 'alice', (page) => choose(page, '生产环境', /^(删除|Delete)$/)),
  panel('token-menu', '/token', 'alice', (page) => press(page, /^(“生产环境”的更多操作|More actions for “生产环境”)$/)),
  panel('token-toast', '/token', 'alice', (page) => choose(page, '生产环境', /^(复制密钥|Copy key)$/)),
  panel('rehearsal', '/setting?tab=ratio', 'root', async (page) => {
    await page
      .getByLabel(/^gpt-4o-mini (输入|Input) /)
      .first()
      .fill('0.4');
    await press(page, /^(试算|Rehearse)$/);
    await page.getByRole('dialog').getByRole('table').waitFor();
  }),
  panel('channel-advanced', '/channel/edit/2', 'root', (page) => press(page, /^(路由|Routing)$/)),
  panel('channel-tag-open', '/channel?tag_mode=true', 'root', (page) =>
    press(page, /^(标签“生产”的渠道|Channels with the tag “生产”)$/),
  ),
  panel('channel-tag-editor', '/channel?tag_mode=true', 'root', (page) =>
    choose(page, '生产', /^(编辑标签|Edit tag)$/),
  ),
  panel('channel-models', '/channel', 'root', async (page) => {
    await choose(page, 'Claude 备用', /^(测试单个模型|Test individual models)$/);
    await page.getByRole('dialog').waitFor();
  }),
  panel('channel-key', '/channel', 'root', (page) => choose(page, 'Claude 备用', /^(查看密钥|Show key)$/)),
  panel('channel-remove', '/channel', 'root', (page) => choose(page, 'Claude 备用', /^(删除|Delete)$/)),
  panel('channel-bulk', '/channel', 'root', async (page) => {
    await page.getByRole('checkbox', { name: /Claude 备用/ }).click();
    await press(page, /^(删除所选渠道|Delete selected channels)$/);
  }),
  panel('limit-add', '/limit', 'root', (page) => press(page, /^(添加限额|Add limit)$/)),
  panel('credit-add', '/user/2', 'root', (page) => press(page, /^(增加额度|Add credit)$/)),
  panel('redemption-add', '/redemption', 'root', (page) => press(page, /^(添加兑换码|Add codes)$/)),
  panel('redemption-result', '/redemption', 'root', async (page) => {
    await press(page, /^(添加兑换码|Add codes)$/);
    const form = page.getByRole('dialog');
    await form.locator('input').first().fill('活动');
    await form.locator('input[name=count]').fill('5');
    await form.getByRole('button', { name: /^(生成|Create)$/ }).click();
    await page.getByRole('button', { name: /^(复制全部|Copy all)$/ }).waitFor();
  }),
  ...(['alice', 'root'] as const).map((as) =>
    panel(`log-receipt-${as}`, '/log?range=all&type=2&token_name=生产环境&p=1', as, async (page) => {
      const rows = page.getByRole('button', { name: /的详情$|^Details of/ });
      await rows.nth(1).click();
      await rows.nth(0).click();
    }),
  ),
  panel('log-user', '/log?range=all&type=2&p=1', 'root', async (page) => {
    await press(page, /的详情$|^Details of/);
    await press(page, /^(用户信息|User details)$/);
  }),
  panel('user-menu', '/user', 'root', (page) => press(page, /^(“member-3”的更多操作|More actions for “member-3”)$/)),
  panel('user-remove', '/user', 'root', (page) => choose(page, 'member-3', /^(注销|Deactivate)$/)),
  panel('pay', '/topup', 'alice', (page) => press(page, /^(支付宝|Alipay)$/)),
  panel('transfer', '/topup', 'alice', (page) => press(page, /^(划转到余额|Move to balance)$/)),
  panel('personal-email', '/setting?tab=personal', 'alice', (page) => press(page, /^(绑定 邮箱|Link E-mail)$/i)),
  panel('personal-two-factor', '/setting?tab=personal', 'alice', async (page) => {
    await press(page, /^(开启双因素认证|Turn on two-factor.*)$/i);
    await page.getByRole('dialog').locator('input[type=password]').fill(testPassword);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(继续|Continue)$/ })
      .click();
    await page.getByRole('alertdialog').waitFor();
  }),
  panel('personal-close', '/setting?tab=personal', 'alice', (page) =>
    press(page, /^(删除个人账户|Delete (my )?account)$/i),
  ),
  panel('playground-answer', '/playground', 'alice', async (page) => {
    await page.getByPlaceholder(/输入问题|Ask something/).fill('用 Markdown 介绍一下你自己');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(2000);
  }),
  panel('setting-reset', '/setting?tab=ratio', 'root', (page) => press(page, /^(重置模型倍率|Reset model ratios)$/)),
  panel('drawing', '/midjourney', 'alice', (page) => press(page, /^(查看图片|View image) /)),
  panel('pricing-detail', '/pricing', 'alice', (page) => press(page, /gpt-4o-mini/)),
  panel('detail-day', '/detail?unit=day&range=month', 'root', (page) => page.waitForTimeout(2500)),
  panel('login-ways', '/login', undefined, async () => {}),
];

describe('pictures to look at', () => {
  const stand = setUpShowcase();

  takePictures(pictures, stand);
});

function both(name: string, path: string): Picture[] {
  return (['alice', 'root'] as const).map((as) => ({ name: `${name}-${as}`, path, as }));
}

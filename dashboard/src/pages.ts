import type { ComponentType } from 'react';
import { loadTexts } from './i18n/language.ts';
import { isRoot, sessionUser } from './state/session.ts';
import type { PageAccess } from './state/session-guard.tsx';

export interface PageEntry {
  path: string;
  access: PageAccess;
  /** Without the side navigation: public pages, and pages that need the whole width. */
  isWide?: boolean;
  /** The page and its texts, fetched side by side when it is opened. */
  load(): Promise<ComponentType>;
}

/** Every page there is. A new page is one line here; navigation and palette show entries whose page exists. */
export const pages: PageEntry[] = [
  wide('/login', 'sign-in', async () => (await import('./pages/login/login-page.tsx')).LoginPage),
  wide('/login/code', 'sign-in', async () => (await import('./pages/login/second-step-page.tsx')).SecondStepPage),
  wide('/register', 'sign-in', async () => (await import('./pages/register/register-page.tsx')).RegisterPage),
  wide('/reset', 'sign-in', async () => (await import('./pages/reset/reset-page.tsx')).ResetPage),
  wide('/user/reset', 'sign-in', async () => (await import('./pages/reset/reset-confirm-page.tsx')).ResetConfirmPage),
  wide('/oauth/:provider', 'sign-in', async () => (await import('./pages/oauth/oauth-page.tsx')).OauthPage),
  wide('/setup', ['setup', 'sign-in'], async () => (await import('./pages/setup/setup-page.tsx')).SetupPage),
  console('/', 'public', ['home', 'overview', 'detail'], async () =>
    (await import('./pages/overview/start-page.tsx')).loadStartPage(),
  ),
  wide('/home', 'home', async () => (await import('./pages/home/home-page.tsx')).HomePage),
  wide('/about', 'about-page', async () => (await import('./pages/about/about-page.tsx')).AboutPage),
  wide('/docs', 'docs', async () => (await import('./pages/docs/docs-page.tsx')).DocsPage),
  wide('/docs/:name', 'docs', async () => (await import('./pages/docs/document-page.tsx')).DocumentPage),
  console('/pricing', 'public', 'pricing', async () => (await import('./pages/pricing/pricing-page.tsx')).PricingPage),
  chat('/chat/:id?', async () => (await import('./pages/chat/chat-page.tsx')).ChatPage),
  chat('/chat2link', async () => (await import('./pages/chat/chat-link-page.tsx')).ChatLinkPage),
  console(
    '/playground',
    'user',
    'playground',
    async () => (await import('./pages/playground/playground-page.tsx')).PlaygroundPage,
  ),
  console('/token', 'user', 'token', async () => (await import('./pages/token/token-page.tsx')).TokenPage),
  console(
    '/token/:id',
    'user',
    ['token', 'overview', 'detail'],
    async () => (await import('./pages/token/token-object-page.tsx')).TokenObjectPage,
  ),
  console(
    '/model/*',
    'user',
    ['model', 'overview', 'detail'],
    async () => (await import('./pages/model/model-object-page.tsx')).ModelObjectPage,
  ),
  console('/log', 'user', 'log', async () => (await import('./pages/log/log-page.tsx')).LogPage),
  console(
    '/detail',
    'user',
    ['detail', 'overview'],
    async () => (await import('./pages/detail/detail-page.tsx')).DetailPage,
  ),
  console(
    '/midjourney',
    'user',
    'midjourney',
    withWork(async () => (await import('./pages/midjourney/midjourney-page.tsx')).MidjourneyPage),
  ),
  console(
    '/task',
    'user',
    'task',
    withWork(async () => (await import('./pages/task/task-page.tsx')).TaskPage),
  ),
  console('/channel', 'admin', 'channel', async () => (await import('./pages/channel/channel-page.tsx')).ChannelPage),
  console(
    '/channel/add',
    'admin',
    'channel',
    async () => (await import('./pages/channel/channel-page.tsx')).ChannelPage,
  ),
  console(
    '/channel/edit/:id',
    'admin',
    'channel',
    async () => (await import('./pages/channel/channel-page.tsx')).ChannelPage,
  ),
  console(
    '/channel/:id',
    'admin',
    ['channel', 'overview', 'detail'],
    async () => (await import('./pages/channel/channel-object-page.tsx')).ChannelObjectPage,
  ),
  console(
    '/redemption',
    'admin',
    'redemption',
    async () => (await import('./pages/redemption/redemption-page.tsx')).RedemptionPage,
  ),
  console('/limit', 'admin', 'limit', async () => (await import('./pages/limit/limit-page.tsx')).LimitPage),
  console('/ledger', 'admin', 'ledger', async () => (await import('./pages/ledger/ledger-page.tsx')).LedgerPage),
  console('/explain', 'admin', 'explain', async () => (await import('./pages/explain/explain-page.tsx')).ExplainPage),
  console('/topup', 'user', 'account', async () => (await import('./pages/topup/wallet-page.tsx')).WalletPage),
  console('/user', 'admin', 'user', async () => (await import('./pages/user/user-page.tsx')).UserPage),
  console('/user/add', 'admin', 'user', async () => (await import('./pages/user/user-address.tsx')).UserAddress),
  console('/user/edit', 'user', 'account', async () => (await import('./pages/user/own-page.tsx')).OwnPage),
  console('/user/edit/:id', 'admin', 'user', async () => (await import('./pages/user/user-address.tsx')).UserAddress),
  console(
    '/user/:id',
    'admin',
    ['user', 'overview', 'detail'],
    async () => (await import('./pages/user/user-object-page.tsx')).UserObjectPage,
  ),
  console(
    '/setting',
    'user',
    'setting',
    withOptionTexts(async () => (await import('./pages/setting/setting-page.tsx')).SettingPage),
  ),
  console('/audit', 'root', 'audit', async () => (await import('./pages/audit/audit-page.tsx')).AuditPage),
];

/** Open to all, without the side navigation. */
function wide(path: string, texts: string | string[], load: PageEntry['load']): PageEntry {
  return { path, access: 'public', isWide: true, load: () => withTexts(texts, load) };
}

/** Behind the sign-in, beside the navigation. */
function console(path: string, access: PageAccess, texts: string | string[], load: PageEntry['load']): PageEntry {
  return { path, access, load: () => withTexts(texts, load) };
}

/** Behind the sign-in, with the whole width (operations spec, section 2). */
function chat(path: string, load: PageEntry['load']): PageEntry {
  return { path, access: 'user', isWide: true, load: () => withTexts('chat', load) };
}

/** What the lists of paid jobs say alike. */
function withWork(load: PageEntry['load']): PageEntry['load'] {
  return () => withTexts('work', load);
}

/** Only root sees what the settings of the installation say; a root who comes later fetches it then. */
function withOptionTexts(load: PageEntry['load']): PageEntry['load'] {
  return () => (isRoot(sessionUser.get()) ? withTexts('option', load) : load());
}

async function withTexts(texts: string | string[], load: PageEntry['load']): Promise<ComponentType> {
  const [component] = await Promise.all([load(), loadTexts(texts)]);
  return component;
}

/** The page that a link leads to, while it is about to be opened. What fails now is tried again, and told, when it is opened. */
export function fetchAhead({ currentTarget }: { currentTarget: Element }): void {
  loadPage(currentTarget.getAttribute('href') ?? '').catch(() => {});
}

/** The code and the texts of a page, by its address. */
export async function loadPage(address: string): Promise<void> {
  await pages.find(({ path }) => path === address)?.load();
}

export const hasPage = (path: string): boolean => pages.some((page) => page.path === path);

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Cookie,
  chromium,
  type Page,
  type Request,
  request,
} from 'playwright-core';
import type { User } from '../../../core/schemas/user.ts';
import { axeFindings } from './axe.ts';
import { buildDashboard } from './build-dashboard.ts';
import { watchPage } from './page-watch.ts';

const root = new URL('../../..', import.meta.url).pathname;
const browserPath = process.env.TOLLGATE_TEST_BROWSER ?? '/usr/bin/chromium';
const screenshots = join(root, '.screenshots');

export interface Look {
  language: 'zh' | 'en';
  theme: 'light' | 'dark';
  width: number;
}

/** Each language, theme and width with each of the others' values at least once; a language's after each other, to load it once. */
export const looks: Look[] = [
  { language: 'zh', theme: 'light', width: 1440 },
  { language: 'zh', theme: 'dark', width: 390 },
  { language: 'en', theme: 'light', width: 390 },
  { language: 'en', theme: 'dark', width: 1440 },
];

export interface VisitOptions extends Partial<Look> {
  /** Signed in already, by user name; the password is the one all tests use. */
  as?: string;
  password?: string;
  /** With fingers, and a page that may become wider than the window. */
  isPhone?: boolean;
  /** Answers of the API that are no mistake here: `/api/user/login 401`. */
  expected?: RegExp;
}

export interface Visit {
  page: Page;
  /** Opens a path and waits until the page stands. */
  open(path: string): Promise<void>;
  /** Fails with everything that went wrong in the browser so far: errors, refused calls, broken policy. */
  expectNoProblems(): void;
  /** Takes a picture, asks axe, and looks at the problems. */
  inspect(name: string): Promise<void>;
  /** The same in four looks; `prepare` brings the page to what is to be seen, after each reload. */
  inspectAll(path: string, name: string, prepare?: (page: Page, look: Look) => Promise<void>): Promise<void>;
  setLook(look: Partial<Look>): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleBrowser {
  visit(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

export const testPassword = 'correct horse battery';

/** Debian's Chromium on the built dashboard of a server; one for all visits of a test file. `isDirect`: without a proxy in between. */
export async function openConsoleBrowser(url: string, { isDirect = false } = {}): Promise<ConsoleBrowser> {
  if (!existsSync(browserPath)) throw new Error(`there is no browser at ${browserPath}: apt-get install chromium`);
  buildDashboard();
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  });
  const takeContext = createContextPool(browser, url);
  const signIn = createSignIn(url);
  let visits = 0;

  async function visit(options: VisitOptions = {}): Promise<Visit> {
    const { language = 'zh', theme = 'light', width = 1440, as, password = testPassword, isPhone = false } = options;
    const { context, giveBack } = await takeContext(isPhone);
    visits += 1;
    // Every visit is somebody else at another address, so that each has the limits of one person.
    if (!isDirect) await context.setExtraHTTPHeaders({ 'x-forwarded-for': `10.1.0.${visits}` });
    const session = as === undefined ? undefined : await signIn(as, password);
    if (session) await context.addCookies(session.cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize({ width, height: 900 });
    await keep(page, `visit ${visits}`, { ...lookValues({ language, theme }), ...(session && { user: session.user }) });
    const watch = watchPage(page, options.expected);
    const settled = settledPage(page);

    const one: Visit = {
      page,
      expectNoProblems: watch.expectNone,
      async open(path) {
        await page.goto(path);
        await settled();
      },
      async inspect(name) {
        await settled();
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({ path: join(screenshots, `${name}.png`), caret: 'initial' });
        const findings = await axeFindings(page);
        if (findings.length > 0) throw new Error(`${name} is not accessible:\n${findings.join('\n')}`);
        watch.expectNone();
      },
      async setLook(look) {
        await showLook(page, look);
        await page.reload();
        await settled();
      },
      async inspectAll(path, name, prepare) {
        // A place of the same origin, where the first look can be kept before the page comes.
        if (page.url() === 'about:blank') await page.goto('/favicon.svg');
        let shown: Look | undefined;
        for (const look of looks) {
          await showLook(page, look);
          // Theme and width change while the page stands; a language, and what was opened, need a new one.
          if (prepare || look.language !== shown?.language) await one.open(path);
          await prepare?.(page, look);
          await one.inspect(`${name}-${look.language}-${look.theme}-${look.width}`);
          shown = look;
        }
      },
      async close() {
        await page.close();
        await giveBack();
      },
    };
    return one;
  }

  return { visit, close: () => browser.close() };
}

/** Contexts are used again, for the files that their caches hold; cookies and routes end with the visit. */
function createContextPool(browser: Browser, url: string) {
  const free: { context: BrowserContext; isPhone: boolean }[] = [];
  return async (isPhone: boolean) => {
    const index = free.findIndex((one) => one.isPhone === isPhone);
    const known = index < 0 ? undefined : free.splice(index, 1)[0]?.context;
    const context =
      known ??
      (await browser.newContext({
        baseURL: url,
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
        isMobile: isPhone,
        hasTouch: isPhone,
      }));
    async function giveBack(): Promise<void> {
      await Promise.all(context.pages().map((page) => page.close()));
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.clearCookies();
      free.push({ context, isPhone });
    }
    return { context, giveBack };
  };
}

interface Session {
  cookies: Cookie[];
  user: string;
}

/** Once for each user, as long as the session lasts: a sign-in costs time, and their number is limited. */
function createSignIn(url: string) {
  const sessions = new Map<string, Session>();
  return async (username: string, password: string): Promise<Session> => {
    const known = sessions.get(username);
    const client = await request.newContext({
      baseURL: url,
      ...(known && { storageState: { cookies: known.cookies, origins: [] } }),
    });
    try {
      if (known && password === testPassword && (await isSignedIn(client, known))) return known;
      const answer = await client.post('/api/user/login', { data: { username, password } });
      const { success, message, data } = (await answer.json()) as { success: boolean; message: string; data: User };
      if (!success) throw new Error(`${username} could not sign in: ${message}`);
      const session = { cookies: (await client.storageState()).cookies, user: JSON.stringify(data) };
      sessions.set(username, session);
      return session;
    } finally {
      await client.dispose();
    }
  };
}

async function isSignedIn(client: APIRequestContext, { user }: Session): Promise<boolean> {
  const { id } = JSON.parse(user) as User;
  const answer = await client.get('/api/user/self', { headers: { 'new-api-user': String(id) } });
  return answer.ok();
}

/** Resolves when a page has a title, everything it asked for is there, and it has nothing left to do. */
function settledPage(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  let begun = 0;
  page.on('request', (one) => {
    begun += 1;
    pending.add(one);
  });
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (one) => pending.delete(one));
  return async () => {
    await page.locator('h1').first().waitFor();
    let before = -1;
    while (pending.size > 0 || before !== begun) {
      before = begun;
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 30), { timeout: 1000 }));
          }),
      );
    }
  };
}

function lookValues({ language, theme }: Partial<Look>): Record<string, string> {
  return { ...(language && { language }), ...(theme && { 'theme-mode': theme }) };
}

/** A page that stands follows at once, but for the language. */
async function showLook(page: Page, look: Partial<Look>): Promise<void> {
  if (look.width) await page.setViewportSize({ width: look.width, height: 900 });
  await page.evaluate((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
    window.dispatchEvent(new StorageEvent('storage'));
  }, lookValues(look));
}

/** What the browser is to find in its storage the first time it comes, and nothing of the visit before. */
async function keep(page: Page, visit: string, values: Record<string, string>): Promise<void> {
  await page.addInitScript(
    ({ name, entries }) => {
      if (location.protocol === 'about:' || localStorage.getItem('test-visit') === name) return;
      localStorage.clear();
      sessionStorage.clear();
      localStorage.setItem('test-visit', name);
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    },
    { name: visit, entries: values },
  );
}

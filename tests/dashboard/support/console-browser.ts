import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type APIRequestContext, type Cookie, type Page, type Request, request } from 'playwright-core';
import type { User } from '../../../core/schemas/user.ts';
import { axeFindings } from './axe.ts';
import { buildDashboard } from './build-dashboard.ts';
import { contextPool } from './context-pool.ts';
import { watchPage } from './page-watch.ts';

const root = new URL('../../..', import.meta.url).pathname;
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

/** All four, and pictures of them, are for the galleries, or for all tests when told so. */
const isFull = process.env.TOLLGATE_LOOKS === 'full';

/** Two looks without a common value, so that a page is seen in each language, theme and width; which two depends on the page. */
function looksOf(name: string): Look[] {
  if (isFull) return looks;
  const kind = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4;
  const [theme, other] = kind & 1 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  const [width, otherWidth] = kind & 2 ? [1440, 390] : [390, 1440];
  return [
    { language: 'zh', theme, width },
    { language: 'en', theme: other, width: otherWidth },
  ];
}

export interface VisitOptions extends Partial<Look> {
  /** Signed in already, by user name; the password is the one all tests use. */
  as?: string;
  password?: string;
  /** With fingers, and a page that may become wider than the window. */
  isPhone?: boolean;
  /** The visit sets the clock of its pages. */
  setsClock?: boolean;
  /** The console fetches its other pages while it has nothing to do; otherwise this reader saves data, and the test saves time. */
  fetchesAhead?: boolean;
  /** Responses of the API that are not a mistake here: `/api/user/login 401`. */
  expected?: RegExp;
}

export interface Visit {
  page: Page;
  /** Opens a path and waits until the page stands. */
  open(path: string): Promise<void>;
  /** Fails with everything that went wrong in the browser so far: errors, refused calls, broken policy. */
  expectNoProblems(): void;
  /** Asks axe, and looks at the problems. */
  inspect(name: string): Promise<void>;
  /** The same in two looks; `prepare` brings the page to what is to be seen, after each reload. */
  inspectAll(path: string, name: string, prepare?: (page: Page, look: Look) => Promise<void>): Promise<void>;
  setLook(look: Partial<Look>): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleBrowser {
  visit(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

let visits = 0;

export const testPassword = 'correct horse battery';

/** Debian's Chromium on the built dashboard of a server. `isDirect`: without a proxy in between. */
export async function openConsoleBrowser(url: string, { isDirect = false } = {}): Promise<ConsoleBrowser> {
  buildDashboard();
  const pool = await contextPool(url);
  const signIn = createSignIn(url);

  async function visit(options: VisitOptions = {}): Promise<Visit> {
    const { language = 'zh', theme = 'light', width = 1440, as, password = testPassword, isPhone = false } = options;
    const { setsClock = false, fetchesAhead = false } = options;
    const { context, giveBack } = await pool.take(isPhone, !setsClock);
    visits += 1;
    // Every visit is another user at another address, so that each has the limits of one person.
    const address = `10.1.${visits >> 8}.${visits & 255}`;
    await context.setExtraHTTPHeaders(isDirect ? {} : { 'x-forwarded-for': address });
    const session = as === undefined ? undefined : await signIn(as, password);
    if (session) await context.addCookies(session.cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(50_000);
    await page.setViewportSize({ width, height: 900 });
    if (!fetchesAhead) await page.addInitScript(saveData);
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
        await colorsStand(page);
        if (isFull) await takePicture(page, name);
        const findings = await axeFindings(page);
        if (findings.length > 0) throw new Error(`${name} is not accessible:\n${findings.join('\n')}`);
        watch.expectNone();
      },
      async setLook(look) {
        await keepLook(page, look);
        await page.reload();
        await settled();
      },
      async inspectAll(path, name, prepare) {
        // A place of the same origin, where the first look can be kept before the page comes.
        if (page.url() === 'about:blank') await page.goto('/favicon.svg');
        let stands = false;
        for (const look of looksOf(name)) {
          await keepLook(page, look);
          // A page that stands follows at once; what was opened on it needs a new one.
          if (stands && !prepare) await followLook(page);
          else await one.open(path);
          await prepare?.(page, look);
          await page.locator(`html[lang=${look.language}]`).waitFor();
          await one.inspect(`${name}-${look.language}-${look.theme}-${look.width}`);
          stands = true;
        }
      },
      async close() {
        await page.close();
        await giveBack();
      },
    };
    return one;
  }

  return { visit, close: () => pool.takeBack() };
}

function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
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
      const response = await client.post('/api/user/login', { data: { username, password } });
      const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: User };
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
  const response = await client.get('/api/user/self', { headers: { 'new-api-user': String(id) } });
  return response.ok();
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

/** Half-way from one theme to another no color has its contrast. */
async function colorsStand(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    // One that is cut short by another is over, too.
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), caret: 'initial' });
}

function lookValues({ language, theme }: Partial<Look>): Record<string, string> {
  return { ...(language && { language }), ...(theme && { 'theme-mode': theme }) };
}

async function keepLook(page: Page, look: Partial<Look>): Promise<void> {
  if (look.width) await page.setViewportSize({ width: look.width, height: 900 });
  await page.evaluate((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  }, lookValues(look));
}

/** The page that stands shows what is kept, as it does when another tab has changed it. */
function followLook(page: Page): Promise<void> {
  return page.evaluate(() => void window.dispatchEvent(new StorageEvent('storage')));
}

/** What the browser is to find in its storage the first time it comes, and nothing of the visit before. */
async function keep(page: Page, visit: string, values: Record<string, string>): Promise<void> {
  await page.addInitScript(
    ({ name, entries }) => {
      // Some that scripts have caught are in no console but Firefox's.
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`the policy forbids ${violatedDirective} ${blockedURI}`),
      );
      if (location.protocol === 'about:' || localStorage.getItem('test-visit') === name) return;
      localStorage.clear();
      sessionStorage.clear();
      localStorage.setItem('test-visit', name);
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    },
    { name: visit, entries: values },
  );
}

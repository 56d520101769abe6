import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
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

/** Each language, theme and width with each of the others' values at least once. */
export const looks: Look[] = [
  { language: 'zh', theme: 'light', width: 1440 },
  { language: 'en', theme: 'dark', width: 1440 },
  { language: 'zh', theme: 'dark', width: 390 },
  { language: 'en', theme: 'light', width: 390 },
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

/** Debian's Chromium on the built dashboard of a server; one for all visits of a test file. */
export async function openConsoleBrowser(url: string): Promise<ConsoleBrowser> {
  if (!existsSync(browserPath)) throw new Error(`there is no browser at ${browserPath}: apt-get install chromium`);
  buildDashboard();
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  });

  async function visit(options: VisitOptions = {}): Promise<Visit> {
    const {
      language = 'zh',
      theme = 'light',
      width = 1440,
      as,
      password = testPassword,
      expected,
      isPhone = false,
    } = options;
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      isMobile: isPhone,
      hasTouch: isPhone,
    });
    await keep(context, { language, 'theme-mode': theme, ...(as && { user: await signIn(context, as, password) }) });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const watch = watchPage(page, expected);

    const one: Visit = {
      page,
      expectNoProblems: watch.expectNone,
      async open(path) {
        await page.goto(path);
        await settled(page);
      },
      async inspect(name) {
        await settled(page);
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({ path: join(screenshots, `${name}.png`), caret: 'initial' });
        const findings = await axeFindings(page);
        if (findings.length > 0) throw new Error(`${name} is not accessible:\n${findings.join('\n')}`);
        watch.expectNone();
      },
      async setLook(look) {
        if (look.width) await page.setViewportSize({ width: look.width, height: 900 });
        await page.evaluate((values) => {
          for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
        }, lookValues(look));
        await page.reload();
        await settled(page);
      },
      async inspectAll(path, name, prepare) {
        await one.open(path);
        for (const look of looks) {
          await one.setLook(look);
          await prepare?.(page, look);
          await one.inspect(`${name}-${look.language}-${look.theme}-${look.width}`);
        }
      },
      close: () => context.close(),
    };
    return one;
  }

  return { visit, close: () => browser.close() };
}

/** Everything that was asked for is there, and a page has a title. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

function lookValues({ language, theme }: Partial<Look>): Record<string, string> {
  return { ...(language && { language }), ...(theme && { 'theme-mode': theme }) };
}

async function signIn(context: BrowserContext, username: string, password: string): Promise<string> {
  const answer = await context.request.post('/api/user/login', { data: { username, password } });
  const { success, message, data } = (await answer.json()) as { success: boolean; message: string; data: User };
  if (!success) throw new Error(`${username} could not sign in: ${message}`);
  return JSON.stringify(data);
}

/** What the browser is to find in its storage the first time it comes. */
async function keep(context: BrowserContext, values: Record<string, string>): Promise<void> {
  await context.addInitScript((entries) => {
    if (location.protocol === 'about:' || localStorage.getItem('test-begun')) return;
    localStorage.setItem('test-begun', 'yes');
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, values);
}

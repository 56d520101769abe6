import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The part of Chromium that draws pages without a window needs a third less CPU time than the whole browser. */
const browserPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const browserPath = process.env.TOLLGATE_TEST_BROWSER ?? browserPaths.find(existsSync) ?? '';

export interface ContextPool {
  /** `isKept` false: a context with a clock of its own, which would also stop the pages of the next visit, is closed behind its visit. */
  take(isPhone: boolean, isKept?: boolean): Promise<{ context: BrowserContext; giveBack(): Promise<void> }>;
  /** Of visits that a failed test has left open, too. */
  takeBack(): Promise<void>;
}

/** One for all test files of this process; it ends with the process. */
let browser: Promise<Browser> | undefined;
const pools = new Map<string, ContextPool>();

/** Contexts on the server at this address; they are used again, for the files that their caches contain. */
export async function contextPool(url: string): Promise<ContextPool> {
  browser ??= launch();
  const pool = pools.get(url) ?? createContextPool(await browser, url);
  pools.set(url, pool);
  return pool;
}

function launch(): Promise<Browser> {
  if (!existsSync(browserPath))
    throw new Error(`there is no browser at '${browserPath}': apt-get install chromium-headless-shell`);
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Cookies and routes end with the visit. */
function createContextPool(owner: Browser, url: string): ContextPool {
  const free: { context: BrowserContext; isPhone: boolean }[] = [];
  const anchors = new Set<Page>();
  const taken = new Set<() => Promise<void>>();

  async function open(isPhone: boolean): Promise<BrowserContext> {
    const context = await owner.newContext({
      baseURL: url,
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      isMobile: isPhone,
      hasTouch: isPhone,
    });
    // It stays open: the process that draws this address lives on with it, and so does the compiled console. Else each visit costs a second.
    const anchor = await context.newPage();
    await anchor.goto('/favicon.svg');
    anchors.add(anchor);
    return context;
  }

  async function take(isPhone: boolean, isKept = true) {
    const index = free.findIndex((one) => one.isPhone === isPhone);
    const known = index < 0 ? undefined : free.splice(index, 1)[0]?.context;
    const context = known ?? (await open(isPhone));
    async function giveBack(): Promise<void> {
      if (!taken.delete(giveBack)) return;
      if (!isKept) return context.close();
      await Promise.all(context.pages().map((page) => !anchors.has(page) && page.close()));
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.clearCookies();
      free.push({ context, isPhone });
    }
    taken.add(giveBack);
    return { context, giveBack };
  }

  return { take, takeBack: async () => void (await Promise.all([...taken].map((giveBack) => giveBack()))) };
}

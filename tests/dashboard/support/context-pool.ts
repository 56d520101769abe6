import { existsSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

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
let profile: Promise<Profile> | undefined;
const pools = new Map<string, ContextPool>();

/** The browser's own context, the only one that keeps compiled scripts: a page of it costs half of what it does elsewhere. */
interface Profile {
  context: BrowserContext;
  /** Where it starts from; a server elsewhere is seen without it. */
  url: string;
  isFree: boolean;
}

/** Contexts on the server at this address; they are used again, for the files that their caches contain. */
export async function contextPool(url: string): Promise<ContextPool> {
  profile ??= launch(url);
  const pool = pools.get(url) ?? createContextPool(await profile, url);
  pools.set(url, pool);
  return pool;
}

/** Fetching beside the page's own thread goes past the compiled scripts. The last list counts, so the rest is Playwright's own. */
const withoutFeatures = [
  'BackgroundResourceFetch',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
];

/** A page of a test is gone before it pays off to compile its code for speed, or to collect garbage beside its own thread. */
const briefPages = ['--min-semi-space-size=32', '--single-threaded-gc', '--no-maglev', '--no-turbofan'];

const contextOptions = (url: string) => ({
  baseURL: url,
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce' as const,
});

async function launch(url: string): Promise<Profile> {
  if (!existsSync(browserPath))
    throw new Error(`there is no browser at '${browserPath}': apt-get install chromium-headless-shell`);
  // '': a folder that goes with the browser.
  const context = await chromium.launchPersistentContext('', {
    ...contextOptions(url),
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join(',')}`,
      // Compiled scripts are kept the first time that they run, not the second.
      '--blink-settings=v8CacheOptions=3',
      `--js-flags=${briefPages.join(' ')}`,
    ],
  });
  return { context, url, isFree: true };
}

/** Cookies and routes end with the visit. */
function createContextPool(profile: Profile, url: string): ContextPool {
  const free: { context: BrowserContext; isPhone: boolean }[] = [];
  // The browser ends with its last page: the one that it has begun with stays.
  const anchors = new Set<Page>(profile.context.pages());
  const taken = new Set<() => Promise<void>>();

  async function open(isPhone: boolean): Promise<BrowserContext> {
    const browser = profile.context.browser();
    if (!browser) throw new Error('the browser has ended');
    const context = await browser.newContext({ ...contextOptions(url), isMobile: isPhone, hasTouch: isPhone });
    // It stays open: the process that draws this address lives on with it.
    const anchor = await context.newPage();
    await anchor.goto('/favicon.svg');
    anchors.add(anchor);
    return context;
  }

  async function take(isPhone: boolean, isKept = true) {
    const isOfProfile = profile.isFree && profile.url === url && !isPhone && isKept;
    if (isOfProfile) profile.isFree = false;
    const index = isOfProfile ? -1 : free.findIndex((one) => one.isPhone === isPhone);
    const known = index < 0 ? undefined : free.splice(index, 1)[0]?.context;
    const context = isOfProfile ? profile.context : (known ?? (await open(isPhone)));
    async function giveBack(): Promise<void> {
      if (!taken.delete(giveBack)) return;
      if (!isKept) return context.close();
      await Promise.all(context.pages().map((page) => !anchors.has(page) && page.close()));
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.clearCookies();
      if (isOfProfile) profile.isFree = true;
      else free.push({ context, isPhone });
    }
    taken.add(giveBack);
    return { context, giveBack };
  }

  return { take, takeBack: async () => void (await Promise.all([...taken].map((giveBack) => giveBack()))) };
}

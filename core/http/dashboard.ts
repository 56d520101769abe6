import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors/app-error.ts';
import { taskErrorsOf } from '../protocols/task/task-path.ts';
import type { OptionService } from '../services/option.ts';
import { busyPage } from './busy-page.ts';
import type { KnownCallers } from './known-caller.ts';
import { preferredLanguage } from './language.ts';
import { openerPolicy, pagePolicy } from './page-policy.ts';
import { pathOf } from './request-path.ts';
import type { RateClass } from './route.ts';

export interface DashboardDependencies {
  options: Pick<OptionService, 'get'>;
  addressOf(incoming: IncomingMessage): string;
  countCall(rate: RateClass, address: string, userId?: number): Promise<void>;
  knownCallers: Pick<KnownCallers, 'userOf'>;
  /** Where the pages are instead, on a node that shows none of its own. */
  frontendBaseUrl: string | undefined;
}

export interface DashboardAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Answers what is a page or a file of the dashboard; undefined for everything else. */
export type Dashboard = (incoming: IncomingMessage) => Promise<DashboardAnswer | undefined>;

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Best first: the build writes one file of each beside those that gain by it. */
const packings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
];
/** Programs speak here; even a browser that calls one of these gets its answer as JSON. */
const programPath = /^\/(api|v1|v1beta1?|upload|pg|dashboard\/billing|healthz|readyz|metrics)(\/|$)/;
/** Stands in the built page for the nonce of the answer. */
const nonceMark = /__NONCE__/g;
const page = 'index.html';

/** Undefined when the dashboard has not been built; the programs' side works without it. */
export function createDashboard(dependencies: DashboardDependencies): Dashboard | undefined {
  const { options, addressOf, countCall, knownCallers, frontendBaseUrl } = dependencies;
  const folder = findBuild();
  if (!folder) return undefined;
  // Only names that were there at the start are ever opened.
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`));

  return async (incoming) => {
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return undefined;
    const path = pathOf(incoming);
    if (programPath.test(path) || taskErrorsOf(path)) return undefined;
    const isFile = extname(path) in types && path !== `/${page}` && files.has(path);
    if (!isFile && !wantsPage(incoming, path)) return undefined;
    if (frontendBaseUrl) return { status: 301, headers: { location: frontendBaseUrl + incoming.url }, body: '' };
    if (isFile) return readAsset(folder, files, path, String(incoming.headers['accept-encoding'] ?? ''));
    try {
      await countCall('web', addressOf(incoming), knownCallers.userOf(incoming.headers));
    } catch (error) {
      if (!(error instanceof AppError && error.status === 429)) throw error;
      return busyPage(error, preferredLanguage(incoming.headers['accept-language'], 'zh'));
    }
    return readPage(folder, options);
  };
}

/** The folder `npm run build` writes, seen from the sources and from the build. */
function findBuild(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  const build = join(folder, 'dist', 'dashboard');
  return existsSync(join(build, page)) ? build : undefined;
}

/** Programs that ask for an address that does not exist are told so in JSON; people get a page that says it. */
function wantsPage({ headers }: IncomingMessage, path: string): boolean {
  const accepted = headers.accept ?? '';
  return accepted.includes('text/html') || (path === '/' && !accepted.includes('application/json'));
}

async function readPage(folder: string, options: Pick<OptionService, 'get'>): Promise<DashboardAnswer> {
  const nonce = randomBytes(16).toString('base64');
  const text = await readFile(join(folder, page), 'utf8');
  return {
    status: 200,
    headers: {
      'content-type': types['.html'] ?? '',
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy(nonce, options),
      'cross-origin-opener-policy': openerPolicy(options),
    },
    body: text.replace(nonceMark, nonce),
  };
}

async function readAsset(
  folder: string,
  files: ReadonlySet<string>,
  path: string,
  accepted: string,
): Promise<DashboardAnswer> {
  const packing = packings.find(({ name, ending }) => accepts(accepted, name) && files.has(path + ending));
  return {
    status: 200,
    headers: {
      'content-type': types[extname(path)] ?? '',
      // The name of everything in assets/ changes with its content.
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      vary: 'accept-encoding',
      ...(packing && { 'content-encoding': packing.name }),
    },
    body: await readFile(join(folder, path + (packing?.ending ?? ''))),
  };
}

function accepts(header: string, name: string): boolean {
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../errors/app-error.ts';
import type { OptionService } from '../../services/option/option.ts';
import { taskErrorsOf } from '../../wire/task-path.ts';
import { preferredLanguage } from '../language.ts';
import type { KnownCallers } from '../relay/known-caller.ts';
import { pathOf } from '../request-path.ts';
import type { RateClass } from '../route.ts';
import { busyPage } from './busy-page.ts';
import { takesGzip } from './compress.ts';
import { packedFile, sendUnpacked, takesPacked } from './packed-file.ts';
import { openerPolicy, pagePolicy } from './page-policy.ts';
import { fileList, readPageTags } from './page-tags.ts';

export interface DashboardDependencies {
  options: Pick<OptionService, 'get'>;
  addressOf(incoming: IncomingMessage): string;
  countCall(rate: RateClass, address: string, userId?: number): Promise<void>;
  knownCallers: Pick<KnownCallers, 'userOf'>;
  /** Where the pages are instead, on a node that shows none of its own. */
  frontendBaseUrl: string | undefined;
}

export interface Dashboard {
  register(app: FastifyInstance): void;
  /** Sends what is a page or a file of the dashboard; false for everything else. */
  send(incoming: IncomingMessage, reply: FastifyReply): Promise<boolean>;
}

/** Programs speak here; even a browser that calls one of these gets its response as JSON. */
const programPath = /^\/(api|v1|v1alpha|v1beta1?|upload|pg|dashboard\/billing|healthz|readyz|metrics)(\/|$)/;
/** Stands in the built page for the files of the page that was asked for. */
const filesMark = '<!--page-files-->';
/** Stands in the built page for the nonce of the response. */
const nonceMark = /__NONCE__/g;
const page = 'index.html';
const pack = promisify(gzip);

/** Undefined when the dashboard has not been built; the programs' side works without it. */
export function createDashboard(dependencies: DashboardDependencies): Dashboard | undefined {
  const { options, addressOf, countCall, knownCallers, frontendBaseUrl } = dependencies;
  const folder = findBuild();
  if (!folder) return undefined;
  const names = filesIn(folder);
  const files = new Set(names.map((name) => name.replace(packedFile, '')));
  const unpacked = new Set(names);
  const pageFile = join(folder, page);
  const tagsOf = readPageTags(folder);

  async function sendPage(incoming: IncomingMessage, reply: FastifyReply): Promise<void> {
    try {
      await countCall('web', addressOf(incoming), knownCallers.userOf(incoming.headers));
    } catch (error) {
      if (!(error instanceof AppError && error.status === 429)) throw error;
      const { status, headers, body } = busyPage(error, preferredLanguage(incoming.headers['accept-language'], 'zh'));
      reply.code(status).headers(headers).send(body);
      return;
    }
    const { headers, body } = await readPage(pageFile, tagsOf(pathOf(incoming)), options);
    reply.headers(headers);
    // It holds no secret whose length could show: the nonce is random in every response.
    if (takesGzip(incoming.headers['accept-encoding'])) reply.header('content-encoding', 'gzip').send(await pack(body));
    else reply.send(body);
  }

  return {
    register(app) {
      app.register(fastifyStatic, {
        root: folder,
        serve: false,
        preCompressed: true,
        // All files of an npm package have the same date: what If-Modified-Since asks would outlive an upgrade.
        lastModified: false,
        setHeaders: (outgoing) => void outgoing.setHeader('vary', 'accept-encoding'),
      });
    },
    async send(incoming, reply) {
      if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return false;
      const path = pathOf(incoming);
      if (programPath.test(path) || taskErrorsOf(path)) return false;
      const isFile = files.has(path);
      if (!isFile && !wantsPage(incoming, path)) return false;
      if (frontendBaseUrl) reply.redirect(frontendBaseUrl + incoming.url, 301);
      else if (isFile && !unpacked.has(path) && !takesPacked(incoming.headers)) await sendUnpacked(folder, path, reply);
      else if (isFile) reply.sendFile(path, caching(path));
      else await sendPage(incoming, reply);
      return true;
    },
  };
}

/** The name of everything in assets/ changes with its content. */
function caching(path: string) {
  return path.startsWith('/assets/') ? { maxAge: '1y', immutable: true } : { maxAge: '1h' };
}

/** Only names that were there at the start are ever opened. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries
    .map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).replaceAll(sep, '/')}`)
    .filter((path) => path !== `/${page}` && path !== `/${fileList}`);
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

async function readPage(file: string, tags: string, options: Pick<OptionService, 'get'>) {
  const nonce = randomBytes(16).toString('base64');
  const text = await readFile(file, 'utf8');
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'content-security-policy': pagePolicy(nonce, options),
      'cross-origin-opener-policy': openerPolicy(options),
    },
    body: text.replace(filesMark, tags).replace(nonceMark, nonce),
  };
}

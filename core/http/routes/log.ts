import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Language } from '../../errors/app-error.ts';
import {
  type Log,
  type LogPage,
  logClearQuery,
  logPageSchema,
  logQuery,
  logSchema,
  logSearchQuery,
  logStatResponseSchema,
  logStatSchema,
  ownLogQuery,
  ownLogStatQuery,
  tokenLogQuery,
} from '../../schemas/log.ts';
import type { LogService } from '../../services/log/log.ts';
import { logsIn } from '../../services/log/text.ts';
import type { OptionService } from '../../services/option/option.ts';
import { credentialOf } from '../relay/credential.ts';
import { type ConsoleCall, type ConsoleRoute, consoleRoute, responses } from '../route.ts';
import { moneyIn } from './audit.ts';

interface LogRouteDependencies {
  logs: LogService;
  options: Pick<OptionService, 'get'>;
}

export function logRoutes({ logs, options }: LogRouteDependencies): ConsoleRoute[] {
  const rowsIn = (language: Language, rows: Log[]) => logsIn(language, rows, moneyIn(options));
  const pageIn = (language: Language, page: LogPage) => ({ ...page, items: rowsIn(language, page.items) });
  const readerIn = (language: Language) => ({ language, moneyOf: moneyIn(options) });
  return [
    consoleRoute({
      method: 'GET',
      path: '/api/log/',
      access: 'admin',
      query: logQuery,
      response: responses.data(logPageSchema),
      handle: async ({ actor, language, query: { p, ...input } }) =>
        pageIn(language, await logs.list(actor, { ...input, page: p })),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/self',
      access: 'user',
      objects: 'own',
      query: ownLogQuery,
      response: responses.data(logPageSchema),
      handle: async ({ actor, language, query: { p, ...input } }) =>
        pageIn(language, await logs.listOwn(actor, { ...input, page: p })),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/search',
      access: 'admin',
      query: logSearchQuery,
      response: responses.data(z.array(logSchema)),
      handle: async ({ actor, language, query }) =>
        rowsIn(language, await logs.search(actor, query.keyword, moneyIn(options))),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/self/search',
      access: 'user',
      objects: 'own',
      query: logSearchQuery,
      response: responses.data(z.array(logSchema)),
      handle: async ({ actor, language, query }) => rowsIn(language, await logs.searchOwn(actor, query.keyword)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/stat',
      access: 'admin',
      query: logStatSchema,
      response: responses.data(logStatResponseSchema),
      handle: ({ actor, query }) => logs.stat(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/self/stat',
      access: 'user',
      objects: 'own',
      query: ownLogStatQuery,
      response: responses.data(logStatResponseSchema),
      handle: ({ actor, query }) => logs.statOwn(actor, query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/token',
      access: 'key',
      objects: 'keyInQuery',
      query: tokenLogQuery,
      response: responses.data(z.array(logSchema)),
      // The key is all the proof there is: no cookie counts here, and pages of any origin may ask.
      handle: async ({ language, query, reply, caller }) =>
        rowsIn(language, await logs.listByKey(query.key || credentialOf(reply.request.raw), caller.address)),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/export',
      access: 'admin',
      query: logStatSchema,
      response: responses.text,
      handle: ({ actor, language, query, reply }) =>
        sendCsv(reply, () => logs.exportCsv(actor, query, readerIn(language))),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/log/self/export',
      access: 'user',
      objects: 'own',
      query: ownLogStatQuery,
      response: responses.text,
      handle: ({ actor, language, query, reply }) =>
        sendCsv(reply, () => logs.exportOwnCsv(actor, query, readerIn(language))),
    }),
    consoleRoute({
      method: 'DELETE',
      path: '/api/log/',
      access: 'admin',
      query: logClearQuery,
      response: responses.data(z.number()),
      handle: ({ actor, query }) => logs.clear(actor, { ...query, dry_run: false }),
    }),
  ];
}

function sendCsv(reply: ConsoleCall['reply'], rows: () => AsyncIterable<string>) {
  reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="log.csv"');
  // Asked for the head alone, the framework would still read the stream to its end.
  return reply.send(reply.request.method === 'HEAD' ? '' : Readable.from(rows()));
}

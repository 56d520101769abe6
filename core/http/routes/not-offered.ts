import { AppError } from '../../errors/app-error.ts';
import { answerRelayError, openRelayCall } from '../relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';

const methods = ['GET', 'POST', 'DELETE'] as const;

/** Calls the vendors' SDKs know that are not offered here; each folder with everything in it. */
const openai = [
  ...['assistants', 'batches', 'containers', 'conversations', 'evals', 'files', 'fine-tunes', 'fine_tuning', 'skills'],
  ...['threads', 'uploads', 'vector_stores', 'videos'],
].map((name) => `/v1/${name}`);
const anthropic = ['/v1/messages/batches', '/v1/organizations'];
const google = [
  ...['batches', 'cachedContents', 'corpora', 'fileSearchStores', 'files', 'interactions', 'operations', 'tunedModels'],
].map((name) => `/v1beta/${name}`);

/** Said at once, with a key or without a channel, in the words of the vendor whose SDK asks. */
export const notOfferedRoutes: RawRoute[] = [
  ...[...openai, ...anthropic, ...google].flatMap((folder) =>
    methods.flatMap((method) => [notOffered(method, folder), notOffered(method, `${folder}/*`)]),
  ),
  notOffered('POST', '/v1/edits'),
  notOffered('POST', '/v1/images/variations'),
  notOffered('POST', '/v1/complete'),
  notOffered('POST', '/upload/v1beta/*'),
  notOffered('DELETE', '/v1/models/:model'),
];

export function answerNotOffered(exchange: RawExchange): void {
  answerRelayError(openRelayCall(exchange), exchange.incoming, new AppError('route.notOffered'));
}

function notOffered(method: RawRoute['method'], path: string): RawRoute {
  return { method, path, access: 'public', serve: answerNotOffered };
}

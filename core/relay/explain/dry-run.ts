import { AppError } from '../../errors/app-error.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { readWhole } from '../attempt/authorize.ts';
import { streamOptionsFor } from '../attempt/stream-options.ts';
import type { ReadCall, RelayBody } from '../call.ts';
import type { RelayLimits, RelayOptions } from '../relay-options.ts';
import { CallMedia } from '../request/call-media.ts';
import {
  adapterOf,
  type BuiltRequest,
  type FormedCall,
  type OutgoingCall,
  ownForm,
  upstreamModelOf,
} from '../request/outgoing-call.ts';
import { buildRequest, formCall } from '../request/write-call.ts';
import type { ExplainedRequest } from './explanation.ts';
import { hideSecrets, maskHeaders, maskUrl, secretsOf, signerOf } from './mask-request.ts';

/** A call written for a channel and not sent. */
export interface DryRun {
  outgoing: FormedCall;
  built: BuiltRequest;
  fetched: string[];
}

interface DryRunDependencies {
  options: RelayOptions;
  limits: RelayLimits;
  nowSeconds(): number;
}

/** Resolves with the error when the channel cannot serve the call. */
export async function dryRun(
  read: Omit<ReadCall, 'media'>,
  channel: RoutedChannel,
  { options, limits, nowSeconds }: DryRunDependencies,
): Promise<DryRun | AppError> {
  const fetched: string[] = [];
  const run: ReadCall = { ...read, media: noteOf(fetched, read.body.room) };
  try {
    const outgoing: OutgoingCall = {
      run,
      channel,
      options,
      created: nowSeconds(),
      adapter: adapterOf(channel),
      upstreamModel: upstreamModelOf(channel, run.request.model),
      streamOptions: streamOptionsFor(channel, nowSeconds()),
      continuation: undefined,
    };
    const formed = { ...outgoing, ...((await formCall(outgoing)) ?? ownForm) };
    return { outgoing: formed, built: await buildRequest(formed, limits), fetched };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const defaultTypes: Record<string, string> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
};

/** In place of what an address contains, a note that it would be read: only its kind decides how it is written. */
function noteOf(fetched: string[], room: RelayBody['room']): CallMedia {
  const fetchMedia = async (url: string) => {
    fetched.push(url);
    const ending = /\.(\w{3,4})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
    return { mime: defaultTypes[ending] ?? 'image/jpeg', base64: `<base64 of ${url}>` };
  };
  const [allowance, client] = [{ check: () => undefined, unpaid: () => undefined }, { onGone: () => undefined }];
  return new CallMedia({ fetchMedia, maxBytes: 0, room, allowance, userId: 0, client });
}

export async function shownRequest({ outgoing, built, fetched }: DryRun): Promise<ExplainedRequest> {
  const { run, channel, upstreamModel } = outgoing;
  const { request, source, credential, losses } = built;
  const secrets = secretsOf(channel.key);
  return {
    channelId: channel.id,
    channelName: channel.name,
    upstreamModel,
    losses,
    fetched,
    method: request.method,
    url: maskUrl(request.url, secrets),
    headers: maskHeaders(request.headers, secrets),
    signedBy: signerOf(credential),
    proxy: maskUrl(request.proxy ?? '', secrets),
    upstreamProtocol: (outgoing.conversion ?? outgoing.common)?.protocol ?? run.call.protocol.name,
    overridden: [...channel.paramOverride.keys()],
    body: hideSecrets((await readWhole(source.open())).toString('utf8'), secrets),
  };
}

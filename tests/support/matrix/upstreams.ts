import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../../core/lib/json-value.ts';
import { chunk, exception } from '../../core/providers/aws/frame.ts';
import type { FakeUpstream } from '../fake-upstream.ts';
import type { TestGateway } from '../start-gateway.ts';
import { type FakeResponse, json, type RecordedRequest } from '../upstream-script.ts';
import { type UpstreamName, upstreamNames } from './features.ts';
import { recordOf, type Say, type Seen, sseResponse, type Wire, type WireCall } from './wire.ts';
import { anthropicWire } from './wire-anthropic.ts';
import { geminiWire } from './wire-gemini.ts';
import { openaiChatWire } from './wire-openai-chat.ts';
import { responsesWire } from './wire-responses.ts';

interface UpstreamKind {
  type: number;
  model: string;
  wire: Wire;
  /** What opens this vendor's thinking, as only the vendor itself would accept it back. */
  signature: string;
  channel?: Record<string, unknown>;
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const upstreamKinds: Record<UpstreamName, UpstreamKind> = {
  'openai-chat': {
    type: 1,
    model: 'gpt-5.4',
    wire: openaiChatWire,
    signature: '',
    // As an older look-alike: OpenAI itself would get a Responses call as it is.
    channel: { setting: '{"responses":false}' },
  },
  'openai-responses': { type: 1, model: 'gpt-5.4-pro', wire: responsesWire, signature: 'enc-openai' },
  anthropic: { type: 14, model: 'claude-sonnet-4-6', wire: anthropicWire, signature: 'sig-anthropic' },
  gemini: { type: 24, model: 'gemini-3-flash-preview', wire: geminiWire, signature: 'c2lnLWdlbWluaQ==' },
  'vertex-gemini': { type: 41, model: 'gemini-3-pro-preview', wire: geminiWire, signature: 'c2lnLXZlcnRleA==' },
  'vertex-claude': { type: 41, model: 'claude-opus-4-6', wire: anthropicWire, signature: 'sig-anthropic-vertex' },
  'aws-claude': {
    type: 33,
    model: 'claude-sonnet-4-5-20250929',
    wire: anthropicWire,
    signature: 'sig-anthropic-aws',
    channel: { key: 'AKIDEXAMPLE|c2VjcmV0LWtleS1mb3ItdGVzdHM|us-east-1' },
  },
  deepseek: { type: 43, model: 'deepseek-flash', wire: openaiChatWire, signature: '' },
};

/** What goes wrong instead of a response. */
export type Fault =
  | { status: number; headers?: Record<string, string>; message: string }
  | { midway: 'error' | 'cut' | 'stall' }
  | 'empty';

/** A wire-true upstream: it refuses what the vendor refuses, responds as the cell scripts, and shows what it got. */
export interface MatrixUpstream {
  say(response: Say): void;
  fail(fault: Fault): void;
  /** The token count that vendors return for prompts. */
  count(tokens: number): void;
  /** What the last call said; throws when there was none. */
  seen(): Seen;
  lastCall(): RecordedRequest;
  /** The vendor's own refusal of the last call, when it was one. */
  refusal(): string | undefined;
  reset(): void;
}

/** Adds a channel for every column; calls reach the one whose model they name. */
export async function addUpstreams(gateway: TestGateway): Promise<void> {
  for (const name of upstreamNames) {
    const { type, model, channel = {} } = upstreamKinds[name];
    const key = type === 41 ? { key: accountKey(gateway.upstream), other: 'us-east5' } : {};
    await gateway.addChannel({ type, name, models: model, ...key, ...channel });
  }
}

function accountKey({ url }: FakeUpstream): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key_id: 'k1',
    private_key: privateKey,
    client_email: 'sa@p1.iam.gserviceaccount.com',
    token_uri: `${url}/token`,
  });
}

export function scriptUpstream(upstream: FakeUpstream): MatrixUpstream {
  let response: Say | undefined;
  let fault: Fault | undefined;
  let counted = 0;
  let last: { call: RecordedRequest; about: WireCall; wire: Wire; refused: string | undefined } | undefined;

  function respond(request: RecordedRequest): FakeResponse {
    if (request.path === '/token')
      return json(200, { access_token: 'ya29.m1', expires_in: 3599, token_type: 'Bearer' });
    if (request.path === '/worker') return { status: 200, headers: { 'content-type': 'image/png' }, body: picture };
    if (/count-?_?tokens/i.test(request.path))
      return json(200, { input_tokens: counted, inputTokens: counted, totalTokens: counted });
    const about = aboutCall(request);
    const wire = upstreamKinds[kindOf(about)].wire;
    const body = recordOf(request.json);
    const refused = wire.refuse(body, about);
    last = { call: request, about, wire, refused };
    if (refused !== undefined) return json(400, wire.error(400, refused));
    if (fault && 'status' in Object(fault)) {
      const { status, message, headers } = fault as Extract<Fault, { status: number }>;
      return json(status, errorBody(wire, about, status, message), headers);
    }
    if (fault === 'empty') return emptyResponse(about);
    if (!response) throw new Error('nothing is scripted');
    if (!about.stream) return json(200, wire.whole(response, about.model));
    return streamed(wire, about, response, fault as { midway: 'error' | 'cut' | 'stall' } | undefined);
  }

  return {
    say(given) {
      response = given;
      fault = undefined;
      upstream.always(respond);
    },
    fail(given) {
      fault = given;
    },
    count(tokens) {
      counted = tokens;
    },
    seen() {
      if (!last) throw new Error('no call has arrived');
      return last.wire.read(recordOf(last.call.json), last.about);
    },
    lastCall() {
      if (!last) throw new Error('no call has arrived');
      return last.call;
    },
    refusal: () => last?.refused,
    reset() {
      upstream.reset();
      response = undefined;
      fault = undefined;
      last = undefined;
      upstream.always(respond);
    },
  };
}

/** The smallest PNG, which the media worker gives out. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Clouds name model and streaming in the address. */
function aboutCall({ path: address, json: body }: RecordedRequest): WireCall {
  const [path = ''] = address.split('?');
  const { model, stream } = recordOf(body);
  const named = /\/model\/([^/]+)\/|\/models\/([^/:]+):/.exec(path);
  const cloud = decodeURIComponent(named?.[1] ?? named?.[2] ?? '');
  const isStream = /stream(GenerateContent|RawPredict)|invoke-with-response-stream/i.test(path) || stream === true;
  return { path, stream: isStream, model: cloud || String(model) };
}

function kindOf({ path, model }: WireCall): UpstreamName {
  if (path.includes('/publishers/anthropic/')) return 'vertex-claude';
  if (path.includes('/publishers/google/')) return 'vertex-gemini';
  if (path.includes('/invoke')) return 'aws-claude';
  if (path.includes(':generateContent') || path.includes(':streamGenerateContent')) return 'gemini';
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'openai-responses';
  return model.startsWith('deepseek') ? 'deepseek' : 'openai-chat';
}

/** AWS has a form of its own for errors. */
function errorBody(wire: Wire, { path }: WireCall, status: number, message: string): JsonObject {
  return path.includes('/invoke') ? { message } : wire.error(status, message);
}

function emptyResponse({ stream, path }: WireCall): FakeResponse {
  if (stream && path.includes('/invoke')) return framed([]);
  return stream
    ? sseResponse([])
    : { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.alloc(0) };
}

function streamed(
  wire: Wire,
  about: WireCall,
  say: Say,
  fault: { midway: 'error' | 'cut' | 'stall' } | undefined,
): FakeResponse {
  const events = wire.events(say, about.model);
  const isAws = about.path.includes('/invoke');
  if (!fault) return isAws ? framed(events.map(({ data }) => chunk(JSON.stringify(data)))) : sseResponse(events);
  // The first piece of text is out, the rest is not.
  const half = events.slice(0, Math.max(1, events.length - 4));
  const packets = isAws ? half.map(({ data }) => chunk(JSON.stringify(data))) : (sseResponse(half).pieces ?? []);
  if (fault.midway === 'error') {
    const failure = isAws
      ? exception('modelStreamErrorException', { message: 'Overloaded in the middle' })
      : (sseResponse([wire.errorEvent('Overloaded in the middle')]).pieces?.[0] ?? Buffer.alloc(0));
    return isAws ? framed([...packets, failure]) : { ...sseResponse([]), pieces: [...packets, failure] };
  }
  const whole = isAws ? framed(packets) : { ...sseResponse([]), pieces: packets };
  const length = packets.reduce((sum, packet) => sum + packet.length, 0);
  return { ...whole, end: { after: length, how: fault.midway } };
}

function framed(pieces: Buffer[]): FakeResponse {
  return { status: 200, headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces };
}

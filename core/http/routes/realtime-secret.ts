import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { jsonHeaders } from '../../relay/deliver/respond.ts';
import type { FreeCalls } from '../../relay/free-call/free-call.ts';
import type { createSecretCalls } from '../../relay/realtime/secret-call.ts';
import type { SecretForm } from '../../wire/realtime/client-secret.ts';
import { credentialOf } from '../relay/credential.ts';
import { type RealtimeCallers, realtimeCallerOf } from '../relay/realtime-caller.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay/relay-body.ts';
import { openRelayCall, sendRelayError } from '../relay/relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';

interface RealtimeSecretRouteDependencies extends RealtimeCallers {
  secretCalls: ReturnType<typeof createSecretCalls>;
  freeCalls: FreeCalls;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
}

/** Instructions and tools of one session; they are stored until the secret expires. */
const maxBytes = 64 * 1024;

const forms: readonly [path: string, form: SecretForm][] = [
  ['/v1/realtime/client_secrets', 'ga'],
  ['/v1/realtime/sessions', 'beta'],
];
const callActions = ['accept', 'hangup', 'refer', 'reject'].map((action) => `/v1/realtime/calls/:id/${action}`);

export function realtimeSecretRoutes(dependencies: RealtimeSecretRouteDependencies): RawRoute[] {
  const { callers, secretCalls, freeCalls, bodyLimits, addressOf } = dependencies;

  async function issue(exchange: RawExchange, form: SecretForm): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      const caller = await callers.authenticate(credentialOf(incoming), addressOf(incoming));
      await freeCalls.serve({ ...entry, caller }, 'client secret', async (client) => {
        const body = await readRelayBody(incoming, 'json', { ...bodyLimits, jsonBytes: maxBytes });
        try {
          const response = await secretCalls.issue(caller, (await body.json()) ?? {}, form);
          const bytes = Buffer.from(JSON.stringify(response));
          client.respond(200, jsonHeaders(entry.id, bytes.length), bytes);
        } finally {
          await body.dispose();
        }
      });
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  /** With WebRTC and SIP the sound goes from the client to the vendor, where this gateway cannot count it. */
  async function refuse(exchange: RawExchange): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      await realtimeCallerOf(credentialOf(incoming), addressOf(incoming), dependencies);
      throw new AppError('realtime.callsNotOffered');
    } catch (error) {
      sendRelayError(entry, incoming, error);
    }
  }

  const post = { method: 'POST', access: 'key' } as const;
  return [
    ...forms.map(([path, form]) => ({ ...post, path, serve: (exchange: RawExchange) => issue(exchange, form) })),
    ...['/v1/realtime/calls', ...callActions].map((path) => ({ ...post, path, serve: refuse })),
  ];
}

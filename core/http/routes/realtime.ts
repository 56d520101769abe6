import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { AppError } from '../../errors/app-error.ts';
import { newRequestId } from '../../lib/request-id.ts';
import type { Realtime } from '../../relay/realtime/realtime.ts';
import type { SecretContent } from '../../services/realtime-secret.ts';
import { preferredLanguage } from '../language.ts';
import { credentialOf } from '../relay/credential.ts';
import { type RealtimeCallers, realtimeCallerOf } from '../relay/realtime-caller.ts';
import { openRelayCall, sendRelayError } from '../relay/relay-call.ts';
import { checkHandshake, createSocketServer, SocketDoor, subProtocolsOf } from '../relay/socket-door.ts';
import type { RawExchange, RawRoute, UpgradeExchange } from '../route.ts';

interface RealtimeRouteDependencies extends RealtimeCallers {
  realtime: Realtime;
  addressOf(incoming: IncomingMessage): string;
  /** Of one message. */
  messageBytes: number;
}

const protocol = { name: 'openai-realtime' };

export function realtimeRoutes(dependencies: RealtimeRouteDependencies): RawRoute[] {
  const { realtime, addressOf, messageBytes } = dependencies;
  const callerOf = (incoming: IncomingMessage) =>
    realtimeCallerOf(credentialOf(incoming), addressOf(incoming), dependencies);
  const server = createSocketServer(messageBytes);

  async function serve(exchange: RawExchange): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    try {
      await callerOf(incoming);
      throw new AppError('realtime.upgradeNeeded');
    } catch (error) {
      sendRelayError({ ...entry, headers: [...entry.headers, 'upgrade', 'websocket'] }, incoming, error);
    }
  }

  async function upgrade(exchange: UpgradeExchange): Promise<void> {
    const { incoming } = exchange;
    const { headers, url = '' } = incoming;
    const id = newRequestId();
    const startedAt = performance.now();
    const language = preferredLanguage(headers['accept-language'], 'en');
    const door = new SocketDoor(server, exchange, { id, language });
    try {
      checkHandshake(incoming);
      const { caller, secret } = await callerOf(incoming);
      const question = url.indexOf('?');
      const query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1));
      nameDeployment(query);
      if (secret) bindToSecret(secret, query, isBeta(headers));
      // It never rejects, so it is not awaited here.
      void realtime.serve({
        id,
        startedAt,
        protocol,
        caller,
        language,
        clientHeaders: headers,
        client: door,
        query,
        isBeta: isBeta(headers),
        settings: secret?.settings,
        refuse: (error) => door.refuse(error),
        accept: (further) => door.accept(further),
      });
    } catch (error) {
      door.refuse(error);
    }
  }

  return [{ method: 'GET', path: '/v1/realtime', access: 'key', serve, upgrade }];
}

/** What clients made for Azure call the model. */
function nameDeployment(query: URLSearchParams): void {
  const deployment = query.get('deployment');
  if (deployment && !query.get('model')) query.set('model', deployment);
}

/** The session is the one that the secret was made for: its model need not be named again, and may not be another. */
function bindToSecret({ model, isBeta: isBetaSecret }: SecretContent, query: URLSearchParams, beta: boolean): void {
  const other = query.get('model');
  if (other && other !== model) throw new AppError('realtime.secretModel', { model, other: other.slice(0, 100) });
  if (isBetaSecret !== beta) throw new AppError(isBetaSecret ? 'realtime.betaSecret' : 'realtime.gaSecret');
  query.set('model', model);
}

/** As a header, or from a browser, which can set none, as a sub-protocol. */
function isBeta(headers: IncomingMessage['headers']): boolean {
  const named = [headers['openai-beta'] ?? []].flat().join(',').split(',');
  if (named.some((name) => name.trim() === 'realtime=v1')) return true;
  return subProtocolsOf(headers['sec-websocket-protocol']).includes('openai-beta.realtime-v1');
}

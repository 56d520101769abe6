import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import type { RelayBody } from '../../relay/call.ts';
import type { Relay } from '../../relay/relay.ts';
import type { CallerService } from '../../services/caller.ts';
import { coded } from '../../text/coded.ts';
import { protocols } from '../../wire/registry.ts';
import { sessionIdOf } from '../cookie/session-cookie.ts';
import type { Guard } from '../guard.ts';
import { type RelayBodyLimits, readRelayBody } from '../relay/relay-body.ts';
import { openRelayCall, sendRelayError } from '../relay/relay-call.ts';
import type { RawExchange, RawRoute } from '../route.ts';

interface PlaygroundRouteDependencies {
  relay: Relay;
  callers: CallerService;
  guard: Guard;
  bodyLimits: RelayBodyLimits;
  addressOf(incoming: IncomingMessage): string;
}

/** Chat calls of a signed-in user: priced by the group the body names, charged to the user alone (token id 0). */
export function playgroundRoutes(dependencies: PlaygroundRouteDependencies): RawRoute[] {
  const { relay, callers, guard, bodyLimits, addressOf } = dependencies;

  async function serve(exchange: RawExchange): Promise<void> {
    const { incoming } = exchange;
    const entry = openRelayCall(exchange);
    let body: RelayBody | undefined;
    try {
      if (!sessionIdOf(incoming.headers) && incoming.headers.authorization) throw new AppError('playground.keyRefused');
      const user = await guard.admit('user', incoming.headers, addressOf(incoming));
      // The group is in the body, so the body is read before it is known what the call may use.
      const read = await readRelayBody(incoming, 'json', bodyLimits);
      body = read;
      const group = read.fields.value('group');
      if (group !== undefined && typeof group !== 'string') {
        throw new AppError('input.invalid', { reason: coded('input.groupText') }, { param: 'group' });
      }
      const caller = await callers.forUser(user.id, group || undefined);
      await relay.serve({
        ...entry,
        protocol: protocols['openai-chat'],
        caller,
        readBody: async () => withoutGroup(read),
      });
    } catch (error) {
      sendRelayError(entry, incoming, error);
    } finally {
      // A call that the relay refused before it read the body never disposed of it.
      await body?.dispose()?.catch(() => undefined);
    }
  }

  return [{ method: 'POST', path: '/pg/chat/completions', access: 'user', serve }];
}

/** The group is ours; an upstream would refuse a field it does not know. */
function withoutGroup(body: RelayBody): RelayBody {
  if (!body.fields.has('group')) return body;
  return {
    fields: body.fields,
    measure: body.measure,
    size: body.size,
    json: () => body.json(),
    readTexts: (reader) => body.readTexts(reader),
    room: body.room,
    mentions: (texts) => body.mentions(texts),
    source: (edits) => body.source([...edits, { drop: 'group' }]),
    dispose: () => body.dispose(),
  };
}

import type { ProtocolName } from '../../canonical/request.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { protocols } from '../../wire/registry.ts';
import type { RawExchange, RawRoute } from '../route.ts';
import { respondToUnknownRelayPath } from '../unknown-path.ts';

/** Below a deployment, as clients made for Azure call it. What Azure has elsewhere is under OpenAI's own paths (`ownPathOf`). */
const tasks: Readonly<Record<string, ProtocolName>> = {
  'chat/completions': 'openai-chat',
  responses: 'openai-responses',
  completions: 'openai-completion',
  embeddings: 'openai-embedding',
  'images/generations': 'openai-image',
  'images/edits': 'openai-image-edit',
  'audio/speech': 'openai-speech',
  'audio/transcriptions': 'openai-transcription',
  'audio/translations': 'openai-translation',
};

const path = '/openai/deployments/*';
/** The SDKs write a model's name into the path as it is, slashes included: it is what is before the task. */
const target = new RegExp(`^(.+?)/(${Object.keys(tasks).join('|')})/?$`);

/** The deployment is the model. */
export function deploymentRoutes(serve: (exchange: RawExchange, protocol: Protocol) => Promise<void>): RawRoute[] {
  return [
    {
      method: 'POST',
      path,
      access: 'key',
      serve(exchange) {
        const [, model = '', task = ''] = target.exec(exchange.params['*'] ?? '') ?? [];
        const name = Object.hasOwn(tasks, task) ? tasks[task] : undefined;
        return name ? serve({ ...exchange, params: { model } }, protocols[name]) : respondToUnknownRelayPath(exchange);
      },
    },
  ];
}

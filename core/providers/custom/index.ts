import type { ProtocolName } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import type { UpstreamCall } from '../adapter.ts';
import { openAiBalance } from '../balance.ts';
import { originOf, urlSegment } from '../base-url.ts';
import { defineCompatibleProvider, everyProtocol } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';

/** The channel's address is the whole URL of one endpoint; `{model}` in it stands for the model, `{model:raw}` with its slashes kept. */
export const custom = defineCompatibleProvider({
  ...typeFacts(8),
  protocols: everyProtocol,
  speaksOpenAi: true,
  url: customUrl,
  modelsUrl: (base) => `${originOf(base)}/v1/models`,
  balance: (base, key, today) => openAiBalance(originOf(base), key, today),
});

const protocolByEnding: [string, ProtocolName][] = [
  ['/chat/completions', 'openai-chat'],
  ['/completions', 'openai-completion'],
  ['/embeddings', 'openai-embedding'],
  ['/moderations', 'openai-moderation'],
  ['/images/generations', 'openai-image'],
  ['/images/edits', 'openai-image-edit'],
  ['/audio/speech', 'openai-speech'],
  ['/audio/transcriptions', 'openai-transcription'],
  ['/audio/translations', 'openai-translation'],
  ['/rerank', 'rerank'],
];

function customUrl(base: string, { protocol, path, model }: UpstreamCall): string {
  const address = base.split('?', 1)[0] ?? base;
  const served = protocolByEnding.find(([ending]) => address.endsWith(ending));
  if (served && served[1] !== protocol) throw new AppError('provider.wrongEndpoint', { served: served[0], path });
  if (!base.includes('{model')) return base;
  const segment = urlSegment(model);
  const raw = model.split('/').map(rawSegment).join('/');
  return base.replaceAll('{model:raw}', () => raw).replaceAll('{model}', () => segment);
}

function rawSegment(part: string): string {
  return urlSegment(part).replaceAll('%40', '@').replaceAll('%3A', ':');
}

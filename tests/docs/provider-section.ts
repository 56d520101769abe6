import type { ProtocolName } from '../../core/canonical/request.ts';
import { everyProtocol } from '../../core/providers/compatible.ts';
import { adapterFor } from '../../core/providers/registry.ts';
import { taskAdapterFor } from '../../core/providers/task/registry.ts';
import type { ChannelType } from '../../core/schemas/channel-type-description.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import { code, markdownTable } from './markdown.ts';

const shortNames: Record<ProtocolName, string> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  gemini: 'generateContent',
  'openai-completion': 'completions',
  'openai-embedding': 'embeddings',
  'gemini-embedding': 'embedContent',
  'openai-moderation': 'moderations',
  'openai-image': 'images',
  'openai-image-edit': 'image edits',
  'openai-speech': 'speech',
  'openai-transcription': 'transcription',
  'openai-translation': 'translation',
  rerank: 'rerank',
  'cohere-rerank': 'v2/rerank',
};

/** The types an adapter serves, with what an operator has to know to add one. */
export function providerTable(): string {
  return markdownTable(
    ['Type', '`--type`', 'Provider', 'Usual address', 'Key', '`--other`', 'Serves'],
    channelTypes
      .filter(isServed)
      .map((type) => [
        String(type.number),
        code(type.name),
        type.label,
        type.needsBaseUrl ? 'yours (`--base-url`)' : code(type.defaultBaseUrl) || 'by region',
        type.keyFormat ? code(type.keyFormat) : 'API key',
        [type.other?.label.en, type.other?.hint?.en].filter(Boolean).join('; '),
        servedBy(type),
      ]),
  );
}

/** Numbers that are taken, so that imported channels keep them. */
export function otherTypes(): string {
  return channelTypes
    .filter((type) => !isServed(type))
    .map(({ number, label }) => `${number} ${label}`)
    .join(', ');
}

function isServed({ number }: ChannelType): boolean {
  return adapterFor(number) !== undefined || taskAdapterFor(number) !== undefined;
}

/** What a type sells as paid jobs. */
const jobs: Readonly<Record<number, string>> = { 1: 'videos', 2: 'drawings', 5: 'drawings', 26: 'videos', 36: 'songs' };

function servedBy(type: ChannelType): string {
  return [callsOf(type), jobs[type.number]].filter(Boolean).join(', ');
}

function callsOf({ number }: ChannelType): string {
  const served = adapterFor(number)?.protocols ?? new Set<ProtocolName>();
  const names = (Object.keys(shortNames) as ProtocolName[]).filter((name) => served.has(name));
  const rest = names.filter((name) => !everyProtocol.includes(name)).map((name) => shortNames[name]);
  if (everyProtocol.every((name) => served.has(name))) return ['everything below', ...rest].join(', ');
  return names.map((name) => shortNames[name]).join(', ');
}

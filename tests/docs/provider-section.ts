import type { ProtocolName } from '../../core/canonical/request.ts';
import { everyProtocol } from '../../core/providers/compatible.ts';
import { adapterFor } from '../../core/providers/registry.ts';
import { type ChannelType, channelTypes } from '../../core/schemas/channel-type.ts';
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
};

/** The types an adapter serves, with what an operator has to know to add one. */
export function providerTable(): string {
  return markdownTable(
    ['Type', '`--type`', 'Provider', 'Usual address', 'Key', '`--other`', 'Serves'],
    channelTypes
      .filter(({ number }) => adapterFor(number))
      .map((type) => [
        String(type.number),
        code(type.name),
        type.label,
        type.needsBaseUrl ? 'yours (`--base-url`)' : code(type.defaultBaseUrl) || 'by region',
        type.keyFormat ? code(type.keyFormat) : 'API key',
        type.otherField ?? '',
        servedBy(type),
      ]),
  );
}

/** Numbers that are taken, so that imported channels keep them. */
export function otherTypes(): string {
  return channelTypes
    .filter(({ number }) => !adapterFor(number))
    .map(({ number, label }) => `${number} ${label}`)
    .join(', ');
}

function servedBy({ number }: ChannelType): string {
  const served = adapterFor(number)?.protocols ?? new Set<ProtocolName>();
  const names = (Object.keys(shortNames) as ProtocolName[]).filter((name) => served.has(name));
  const rest = names.filter((name) => !everyProtocol.includes(name)).map((name) => shortNames[name]);
  if (everyProtocol.every((name) => served.has(name))) return ['everything below', ...rest].join(', ');
  return names.map((name) => shortNames[name]).join(', ');
}

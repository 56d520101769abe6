import type { ProtocolName } from '../../core/canonical/request.ts';
import { everyProtocol } from '../../core/providers/compatible.ts';
import { adapterFor } from '../../core/providers/registry.ts';
import { taskAdapterFor } from '../../core/providers/task/registry.ts';
import { channelTypeLabel } from '../../core/schemas/channel-type.ts';
import type { ChannelType } from '../../core/schemas/channel-type-description.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import { type Language, wordsIn } from '../../core/text/text.ts';
import type { LocalText } from '../support/local-text.ts';

import { code, markdownTable } from './markdown.ts';

const shortNames: Record<ProtocolName, LocalText> = {
  'openai-chat': { en: 'chat', zh: '对话' },
  'openai-responses': { en: 'responses', zh: 'responses' },
  'anthropic-messages': { en: 'messages', zh: 'messages' },
  gemini: { en: 'generateContent', zh: 'generateContent' },
  'openai-completion': { en: 'completions', zh: '补全' },
  'openai-embedding': { en: 'embeddings', zh: '向量' },
  'gemini-embedding': { en: 'embedContent', zh: 'embedContent' },
  'openai-moderation': { en: 'moderations', zh: '审核' },
  'openai-image': { en: 'images', zh: '图像' },
  'openai-image-edit': { en: 'image edits', zh: '图像编辑' },
  'openai-speech': { en: 'speech', zh: '语音合成' },
  'openai-transcription': { en: 'transcription', zh: '语音转写' },
  'openai-translation': { en: 'translation', zh: '语音翻译' },
  rerank: { en: 'rerank', zh: '重排序' },
  'cohere-rerank': { en: 'v2/rerank', zh: 'v2/rerank' },
};

/** Each of them is enough for clients of all four. */
const chatFormats: readonly ProtocolName[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];
const ownChat = { en: 'chat (own format)', zh: '对话（自有格式）' };
const everything = { en: 'all OpenAI endpoints', zh: '全部 OpenAI 接口' };

/** The types an adapter serves, with what an operator has to know to add one. */
const words = {
  head: {
    en: ['Type', '`--type`', 'Provider', 'Default base URL', 'Key', '`--other`', 'Serves'],
    zh: ['编号', '`--type`', '供应商', '默认 API 地址', '密钥', '`--other`', '支持的调用'],
  },
  yours: { en: 'yours (`--base-url`)', zh: '自行填写（`--base-url`）' },
  byRegion: { en: 'by region', zh: '由区域决定' },
  apiKey: { en: 'API key', zh: 'API 密钥' },
  none: { en: 'none', zh: '无' },
};

export function providerTable(language: Language): string {
  return markdownTable(
    words.head[language],
    channelTypes
      .filter(isServed)
      .map((type) => [
        String(type.number),
        code(type.name),
        labelOf(type, language),
        type.needsBaseUrl ? words.yours[language] : code(type.defaultBaseUrl) || words.byRegion[language],
        type.keyFormat ? code(type.keyFormat) : words.apiKey[language],
        [type.other?.label, type.other?.hint]
          .flatMap((text) => (text ? wordsIn(language, text) : []))
          .join(language === 'en' ? '; ' : '；'),
        servedBy(type, language),
      ]),
  );
}

/** Numbers that are taken, so that imported channels keep them. */
export function otherTypes(language: Language): string {
  return (
    channelTypes
      .filter((type) => !isServed(type))
      .map((type) => `${type.number} ${labelOf(type, language)}`)
      .join(', ') || words.none[language]
  );
}

function isServed({ number }: ChannelType): boolean {
  return adapterFor(number) !== undefined || taskAdapterFor(number) !== undefined;
}

/** For vendors that have another name in Chinese. */
export const labelOf = ({ number }: ChannelType, language: Language): string => channelTypeLabel(number, language);

const videos = { en: 'videos', zh: '视频' };
const drawings = { en: 'drawings', zh: '绘图' };
/** The asynchronous tasks of a type. */
const jobs: Readonly<Record<number, LocalText>> = {
  1: videos,
  2: drawings,
  5: drawings,
  26: videos,
  36: { en: 'songs', zh: '歌曲' },
};

function servedBy(type: ChannelType, language: Language): string {
  return [callsOf(type, language), jobs[type.number]?.[language] ?? []].flat().join(language === 'en' ? ', ' : '、');
}

function callsOf({ number }: ChannelType, language: Language): string[] {
  const adapter = adapterFor(number);
  const served = adapter?.protocols ?? new Set<ProtocolName>();
  const speaksAlike = chatFormats.some((name) => served.has(name));
  const own = adapter?.ownChat && !speaksAlike ? [ownChat[language]] : [];
  const names = (Object.keys(shortNames) as ProtocolName[]).filter((name) => served.has(name));
  const rest = names.filter((name) => !everyProtocol.includes(name)).map((name) => shortNames[name][language]);
  if (everyProtocol.every((name) => served.has(name))) return [everything[language], ...rest];
  return [...own, ...names.map((name) => shortNames[name][language])];
}

import type { LocalText } from '../local-text.ts';

/** Why a cell of the table of provider types is empty. The column says what is missing. */
export const lackReasons = {
  taskOnly: {
    en: 'This type serves asynchronous tasks (drawings or songs), which have tests of their own.',
    zh: '此类型只提供异步任务（绘图或歌曲），另有测试。',
  },
  untested: { en: 'Supported, but not covered by these tests.', zh: '支持，但不在这些测试的范围内。' },
  unsupported: { en: 'This version does not support the type.', zh: '此版本不支持该类型。' },
  noApi: { en: 'The vendor has no API for this.', zh: '供应商没有此接口。' },
  noTools: { en: 'The vendor does not support tools.', zh: '供应商不支持工具。' },
  textOnly: { en: 'The models accept text only.', zh: '模型只接受文本。' },
  embeddingsOnly: { en: 'The vendor offers only embeddings.', zh: '供应商只提供向量。' },
  embeddingsAndRerank: { en: 'The vendor offers only embeddings and rerank.', zh: '供应商只提供向量与重排序。' },
  otherChannels: { en: 'See the other channels of type 1.', zh: '见类型 1 的其他渠道。' },
  sameType: { en: 'See the other rows of this type.', zh: '见此类型的其他行。' },
  vertexGemini: { en: 'See Gemini on Vertex AI.', zh: '见 Vertex AI 上的 Gemini。' },
  selfHosted: { en: 'Self-hosted: there is no account balance.', zh: '自行部署，没有账户余额。' },
  compatibleOnly: { en: 'Only through the OpenAI-compatible API.', zh: '只能通过 OpenAI 兼容接口。' },
  otherVersion: { en: "Not in this version of the vendor's API.", zh: '供应商的这一版接口不提供。' },
  version4: { en: 'Use version 4 (type 26).', zh: '请使用第 4 版（类型 26）。' },
  olderApi: { en: 'Only in an older API that needs a group ID.', zh: '只有需要 group ID 的旧接口提供。' },
  oneEndpoint: { en: 'The address of a custom channel is one endpoint.', zh: '自定义渠道的地址只是一个接口。' },
  geminiOnly: { en: 'Only Gemini models are forwarded.', zh: '只转发 Gemini 模型。' },
  byChatModel: { en: 'Not supported: the vendor does this with a chat model.', zh: '不支持：供应商用对话模型实现。' },
  ownFormat: { en: 'Not supported: the vendor uses a format of its own.', zh: '不支持：供应商使用自有格式。' },
  otherService: { en: 'A separate service of the vendor, not supported.', zh: '供应商的另一项服务，不支持。' },
  webSocketOnly: { en: 'The vendor offers this only over its own WebSocket.', zh: '供应商只通过自有 WebSocket 提供。' },
  audioByUrl: { en: 'The vendor accepts recordings by URL only.', zh: '供应商只接受以 URL 给出的录音。' },
  imageByUrl: { en: 'The vendor accepts images by URL only.', zh: '供应商只接受以 URL 给出的图片。' },
  ownTools: { en: 'The app, bot or knowledge base uses its own tools.', zh: '应用、机器人或知识库使用自己的工具。' },
  appSetting: { en: 'Depends on the settings of the app or bot.', zh: '取决于应用或机器人的设置。' },
  appIsModel: { en: 'The app or bot is the model.', zh: '应用或机器人本身就是模型。' },
} as const satisfies Record<string, LocalText>;

export type LackReason = keyof typeof lackReasons;

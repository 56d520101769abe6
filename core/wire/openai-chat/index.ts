import type { Protocol } from '../protocol.ts';
import { parseChat } from './call-fields.ts';
import { checkChatBody } from './check-body.ts';
import { openaiChatClient } from './client-codec.ts';
import { chatDocumentChunks } from './document-chunks.ts';
import { readChatEvent } from './read-event.ts';
import { readChatText } from './read-response.ts';
import { openaiChatUpstream } from './upstream-codec.ts';
import { readResponseUsage } from './usage.ts';

export const openaiChat: Protocol = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  body: 'json',
  parse: parseChat,
  checkBody: checkChatBody,
  isResponse: openaiChatUpstream.isResponse,
  readUsage: (response) => readResponseUsage(response),
  readText: readChatText,
  readEvent: readChatEvent,
  documentChunks: chatDocumentChunks,
  terminal: 'data: [DONE]\n\n',
  needsFinish: true,
  chat: openaiChatClient,
};

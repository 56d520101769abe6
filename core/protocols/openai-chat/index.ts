import { openaiChatUpstream } from '../../providers/openai-chat/codec.ts';
import { parseChat } from '../../wire/openai-chat/call-fields.ts';
import { readAnswerUsage } from '../../wire/openai-chat/usage.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { checkChatBody } from './check-body.ts';
import { openaiChatClient } from './codec.ts';
import { readChatText } from './read-answer.ts';
import { readChatEvent } from './read-event.ts';

export const openaiChat: Protocol = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  body: 'json',
  parse: parseChat,
  checkBody: checkChatBody,
  isAnswer: openaiChatUpstream.isAnswer,
  readUsage: (answer) => readAnswerUsage(answer),
  readText: readChatText,
  readEvent: readChatEvent,
  terminal: 'data: [DONE]\n\n',
  needsFinish: true,
  chat: openaiChatClient,
};

import type { BodyEdit } from '../canonical/body-edit.ts';
import type { ChatRequest } from '../canonical/chat-request.ts';
import { isJsonObject } from '../lib/json-value.ts';
import type { Steps } from '../lib/steps.ts';
import { anthropicClient } from './anthropic-messages/client-codec.ts';
import { geminiClient } from './gemini/client-codec.ts';
import { wrong } from './request-field.ts';

/** How one protocol asks for the tokens of a prompt. */
export interface CountProtocol {
  name: 'anthropic-messages' | 'gemini';
  /** As adapters get it in place of the chat call's path. */
  path: string;
  /** The prompt; throws AppError for what the client got wrong. */
  read(body: Record<string, unknown>, model: string): Steps<ChatRequest>;
  /** What the body needs beside the adapter's own changes. */
  edits(body: Record<string, unknown>, upstreamModel: string): BodyEdit[];
  /** Whether an upstream's response contains the number. */
  isResponse(response: Record<string, unknown>): boolean;
  write(tokens: number): Record<string, unknown>;
}

export const anthropicCount: CountProtocol = {
  name: 'anthropic-messages',
  path: '/v1/messages/count_tokens',
  // A call that counts asks for no response, so it names no bound of one.
  read: (body) => anthropicClient.readRequest({ ...body, max_tokens: 1 }),
  edits: () => [],
  isResponse: ({ input_tokens }) => Number.isInteger(input_tokens),
  write: (tokens) => ({ input_tokens: tokens }),
};

/** The contents alone, or the whole call whose prompt is meant: one of the two. */
export const geminiCount: CountProtocol = {
  name: 'gemini',
  path: 'countTokens',
  read: (body, model) => geminiClient.readRequest(wholeCall(body) ?? body, { model, stream: false }),
  edits(body, upstreamModel) {
    const whole = wholeCall(body);
    if (!whole) return [];
    const key = body.generateContentRequest === undefined ? 'generate_content_request' : 'generateContentRequest';
    return [{ set: key, raw: JSON.stringify({ ...whole, model: `models/${upstreamModel}` }) }];
  },
  isResponse: ({ totalTokens }) => Number.isInteger(totalTokens),
  write: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }),
};

function wholeCall(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const whole = body.generateContentRequest ?? body.generate_content_request;
  if (whole === undefined || whole === null) return undefined;
  if (!isJsonObject(whole)) throw wrong('request.notObject', 'generateContentRequest');
  return whole;
}

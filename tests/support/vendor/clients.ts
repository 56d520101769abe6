import { matrixClients } from '../matrix/cells.ts';
import { anthropicClient } from '../matrix/client-anthropic.ts';
import { geminiClient } from '../matrix/client-gemini.ts';
import { openaiChatClient } from '../matrix/client-openai.ts';
import { openaiResponsesClient } from '../matrix/client-responses.ts';

/** One SDK for each protocol that clients speak: each of them plays every chat of every fixture. */
export const vendorClients = {
  openai: { label: matrixClients.openai.label, create: openaiChatClient },
  responses: { label: matrixClients.responses.label, create: openaiResponsesClient },
  anthropic: { label: matrixClients.anthropic.label, create: anthropicClient },
  gemini: { label: matrixClients.genai.label, create: geminiClient },
};
export type VendorClientName = keyof typeof vendorClients;

import type { FinishReason } from '../../canonical/chat-event.ts';

const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
  'JAILBREAK',
]);
/** The model failed at its own tools: worth another try while nothing was sent. */
const failed = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

export const isFailedCall = (reason: string): boolean => failed.has(reason);

/** Google says STOP when tools are called, and may say it in a later chunk; a cut or filtered response stays one anyway. */
export function mapFinishReason(reason: string, calledTool: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (filtered.has(reason)) return 'filter';
  return calledTool ? 'tool' : 'stop';
}

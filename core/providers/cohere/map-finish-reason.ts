/** In OpenAI's words. The last two are of version 1. */
const reasons: Record<string, string> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_LIMIT: 'length',
  ERROR_TOXIC: 'content_filter',
};

export function mapFinishReason(reason: unknown): string {
  return (typeof reason === 'string' && Object.hasOwn(reasons, reason) && reasons[reason]) || 'stop';
}

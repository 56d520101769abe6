/** In OpenAI's words; `load` and `unload` answer calls without messages. */
export function mapFinishReason(reason: unknown): string {
  return reason === 'length' ? 'length' : 'stop';
}

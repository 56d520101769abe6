import { isJsonObject } from '../../lib/json-value.ts';
import type { Run } from '../run.ts';

/**
 * Whether the upstream may use tools of its own whose uses stand all over its answer: such an answer is read whole, however long
 * its pictures make it, because the uses are billed. Anthropic counts them at the end, with the tokens. A request too long to be
 * looked through may ask for them.
 */
export function mayUseHostedTools({ call, json }: Pick<Run, 'call' | 'json'>): boolean {
  const { name } = call.protocol;
  if (name !== 'openai-responses' && name !== 'gemini') return false;
  return json === undefined || (Array.isArray(json.tools) && json.tools.some(isHosted));
}

/** The client's own tools are functions, custom tools and, for Google, declarations. */
function isHosted(tool: unknown): boolean {
  if (!isJsonObject(tool) || tool.type === 'function' || tool.type === 'custom') return false;
  return Object.keys(tool).some((key) => key !== 'functionDeclarations' && key !== 'function_declarations');
}

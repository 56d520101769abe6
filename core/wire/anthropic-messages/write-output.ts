import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { describeSchema } from '../../canonical/schema-description.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import type { ModelRule } from './model-rule.ts';

export interface WrittenOutput {
  /** `output_config.format`. */
  format?: JsonObject;
  /** For models without structured output: the one tool, whose arguments are the response. */
  tool?: JsonObject & { name: string };
  /** Further system texts. */
  instructions: JsonObject[];
}

/** The tool's name, when a response has to come as a call. */
const responseTool = 'json_output';

export function writeOutput(request: ChatRequest, rule: ModelRule, losses: Losses): WrittenOutput {
  const { origin, output, tools } = request;
  if (output.kind === 'text') return { instructions: [] };
  if (output.kind === 'json') {
    losses.emulate(clientField(origin, 'output'));
    return { instructions: [instruction('Answer with one JSON object and nothing else.')] };
  }
  const { description } = output;
  const schema = describeSchema(output);
  if (rule.structuredOutput) {
    const closed = closeObjects(schema);
    if (closed.hasOpened) losses.emulate(clientField(origin, 'outputSchema'));
    return { format: { type: 'json_schema', schema: closed.schema }, instructions: [] };
  }
  losses.emulate(clientField(origin, 'output'));
  if (tools.length > 0 || schema.type !== 'object') {
    const text = `Answer with nothing but JSON that is valid against this JSON schema: ${JSON.stringify(schema)}`;
    return { instructions: [instruction(text)] };
  }
  const about = description ?? 'Gives the answer in the form that is asked for.';
  return { tool: { name: responseTool, description: about, input_schema: schema }, instructions: [] };
}

function instruction(text: string): JsonObject {
  return { type: 'text', text };
}

/** Anthropic wants every object closed. `hasOpened`: the client's schema let further members through. */
function closeObjects(schema: JsonObject): { schema: JsonObject; hasOpened: boolean } {
  let hasOpened = false;
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (!isJsonObject(value)) return value;
    const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closeMember(key, member)]));
    if (!isObjectSchema(value)) return members;
    const { additionalProperties } = value;
    hasOpened ||= additionalProperties !== undefined && additionalProperties !== false;
    return { ...members, additionalProperties: false };
  };
  // Values of these are data or names, not schemas.
  const closeMember = (key: string, member: unknown): unknown => {
    if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return member;
    if ((key === 'properties' || key === '$defs' || key === 'definitions') && isJsonObject(member))
      return Object.fromEntries(Object.entries(member).map(([name, property]) => [name, close(property)]));
    return close(member);
  };
  return { schema: close(schema) as JsonObject, hasOpened };
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || (!type && isJsonObject(properties));
}

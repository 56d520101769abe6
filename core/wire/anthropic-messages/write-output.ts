import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { describeSchema } from '../../canonical/schema-description.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { ModelRule } from './model-rule.ts';
import { hasEndlessReference } from './reference-cycle.ts';
import { toStrictSchema } from './strict-schema.ts';

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
  const isEndless = rule.structuredOutput && hasEndlessReference(schema);
  if (rule.structuredOutput && !isEndless) {
    const strict = toStrictSchema(schema);
    if (strict.hasChanged) losses.emulate(clientField(origin, 'outputSchema'));
    return { format: { type: 'json_schema', schema: strict.schema }, instructions: [] };
  }
  losses.emulate(clientField(origin, 'output'));
  if (isEndless || tools.length > 0 || schema.type !== 'object') {
    const text = `Answer with nothing but JSON that is valid against this JSON schema: ${JSON.stringify(schema)}`;
    return { instructions: [instruction(text)] };
  }
  const about = description ?? 'Gives the answer in the form that is asked for.';
  return { tool: { name: responseTool, description: about, input_schema: schema }, instructions: [] };
}

function instruction(text: string): JsonObject {
  return { type: 'text', text };
}

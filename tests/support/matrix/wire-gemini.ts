import type { JsonObject } from '../../../core/lib/json-value.ts';
import {
  listOf,
  piecesOf,
  recordOf,
  type Say,
  type Seen,
  type SeenPart,
  unknownMembers,
  type Wire,
  type WireCall,
  type WireEvent,
  type WireUsage,
} from './wire.ts';

// Gemini sheet, section 2.
const known = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'generationConfig',
  'serviceTier',
  'store',
];
const settings = [
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'responseLogprobs',
  'logprobs',
  'thinkingConfig',
  'speechConfig',
  'imageConfig',
  'mediaResolution',
];
const partKeys = [
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'videoMetadata',
  'mediaResolution',
];
const subset = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
  'minimum',
  'maximum',
];
// Google's own command line names the dialect, too.
const jsonSchema = [
  '$schema',
  '$id',
  '$defs',
  '$ref',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'oneOf',
  'properties',
  'additionalProperties',
  'required',
  'propertyOrdering',
];
const bypass = 'skip_thought_signature_validator';

function unknownName(key: string, at: string): string {
  return `Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`;
}

function refuse(body: JsonObject, { path }: WireCall): string | undefined {
  const [extra] = unknownMembers(body, known);
  if (extra) return unknownName(extra, '');
  const config = recordOf(body.generationConfig);
  const [setting] = unknownMembers(config, settings);
  if (setting) return unknownName(setting, 'generation_config');
  if (listOf(config.stopSequences).length > 5) return 'The number of stop sequences must be at most 5.';
  const thinking = recordOf(config.thinkingConfig);
  if (thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined)
    return 'You can only set only one of thinking budget and thinking level.';
  const declared = listOf(body.tools).flatMap(({ functionDeclarations }) => listOf(functionDeclarations));
  const faults = [
    refuseSchema(config.responseSchema, subset, 'generation_config.response_schema'),
    refuseSchema(config.responseJsonSchema, jsonSchema, 'generation_config.response_json_schema'),
    ...declared.map(refuseFunction),
    refuseContents(listOf(body.contents), path.includes('/publishers/')),
  ];
  return faults.find((fault) => fault !== undefined);
}

function refuseFunction({ name, parameters, parametersJsonSchema }: JsonObject): string | undefined {
  if (!/^[A-Za-z_][\w.:-]{0,63}$/.test(String(name))) return `Invalid function name: ${String(name)}`;
  if (parameters && Object.keys(recordOf(recordOf(parameters).properties)).length === 0)
    return 'parameters.properties: should be non-empty for OBJECT type';
  return (
    refuseSchema(parameters, subset, 'tools[0].function_declarations[0].parameters') ??
    refuseSchema(parametersJsonSchema, jsonSchema, 'tools[0].function_declarations[0].parameters_json_schema')
  );
}

function refuseSchema(schema: unknown, allowed: string[], at: string): string | undefined {
  if (schema === undefined) return undefined;
  const given = recordOf(schema);
  const [key] = unknownMembers(given, allowed);
  if (key) return unknownName(key, at);
  if (allowed === subset && Array.isArray(given.type))
    return `Proto field is not repeating, cannot start list at '${at}.type'`;
  const inner = [
    ...Object.values(recordOf(given.properties)),
    ...(given.items ? [given.items] : []),
    ...listOf(given.anyOf),
  ];
  return inner.map((one) => refuseSchema(one, allowed, at)).find((fault) => fault !== undefined);
}

function refuseContents(contents: JsonObject[], needsRole: boolean): string | undefined {
  if (contents.length === 0) return 'contents is not specified';
  const [first] = contents;
  if (first?.role === 'model') return 'Please ensure that multiturn requests begin with a user turn.';
  // Signatures are asked for since a person last spoke.
  const spoke = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && listOf(parts).some((part) => part.text),
  );
  let open = 0;
  for (const [index, { role, parts }] of contents.entries()) {
    if (needsRole && role === undefined) return 'Please use a valid role: user, model.';
    if (listOf(parts).length === 0) return `contents[${index}].parts must not be empty`;
    for (const part of listOf(parts)) {
      const [key] = unknownMembers(part, partKeys);
      if (key) return unknownName(key, `contents[${index}].parts[0]`);
      const signature = String(part.thoughtSignature ?? '');
      if (signature !== '' && signature !== bypass && !signature.startsWith('c2ln'))
        return 'Corrupted thought signature.';
    }
    const calls = listOf(parts).filter(({ functionCall }) => functionCall);
    const results = listOf(parts).filter(({ functionResponse }) => functionResponse);
    if (results.length > 0 && results.length !== open)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts.';
    if (results.some(({ functionResponse }) => typeof recordOf(functionResponse).response !== 'object'))
      return 'functionResponse.response: must be an object';
    if (open > 0 && results.length === 0) return 'A function call turn must be followed by a function response turn.';
    if (calls.length > 0 && index > spoke && calls[0]?.thoughtSignature === undefined)
      return 'Function call is missing a thought_signature in functionCall parts.';
    open = calls.length;
  }
  return undefined;
}

function read(body: JsonObject): Seen {
  const config = recordOf(body.generationConfig);
  const calling = recordOf(recordOf(body.toolConfig).functionCallingConfig);
  const [named] = (calling.allowedFunctionNames ?? []) as string[];
  const modes = { NONE: 'none', AUTO: 'auto', ANY: 'required' } as const;
  const { systemInstruction } = body;
  const system =
    typeof systemInstruction === 'string' ? [{ text: systemInstruction }] : recordOf(systemInstruction).parts;
  const thinking = recordOf(config.thinkingConfig);
  const declared = listOf(body.tools).flatMap(({ functionDeclarations }) => listOf(functionDeclarations));
  return {
    system: listOf(system)
      .map(({ text }) => String(text))
      .join('\n\n'),
    turns: listOf(body.contents).flatMap(readContent),
    tools: declared.map(({ name }) => String(name)),
    choice: named === undefined ? modes[calling.mode as 'ANY'] : { name: named },
    schema: (config.responseJsonSchema ?? config.responseSchema) as JsonObject | undefined,
    thinking: thinking.thinkingLevel ?? thinking.thinkingBudget ?? thinking.includeThoughts,
    stop: (config.stopSequences ?? []) as string[],
    maxTokens: config.maxOutputTokens as number | undefined,
    marks: 0,
  };
}

function readContent({ role, parts }: JsonObject): Seen['turns'] {
  const results = listOf(parts).flatMap(readResult);
  const others = listOf(parts)
    .filter(({ functionResponse }) => !functionResponse)
    .map(readPart);
  const speaker = role === 'model' ? 'assistant' : 'user';
  return [
    ...(results.length > 0 ? [['tool', ...results] as Seen['turns'][number]] : []),
    ...(others.length > 0 ? [[speaker, ...others] as Seen['turns'][number]] : []),
  ];
}

function readResult({ functionResponse }: JsonObject): SeenPart[] {
  if (!functionResponse) return [];
  const { response: given, parts } = recordOf(functionResponse);
  const media = listOf(parts).map(readPart);
  const response = recordOf(given);
  if (response.error !== undefined) return [{ result: String(response.error), isError: true }, ...media];
  return [{ result: String(response.output ?? JSON.stringify(response)) }, ...media];
}

function readPart(part: JsonObject): SeenPart {
  const { inlineData, fileData, functionCall, thought, thoughtSignature, text } = part;
  const signature = String(thoughtSignature ?? '');
  if (functionCall) return { call: String(recordOf(functionCall).name), input: recordOf(functionCall).args };
  if (inlineData) {
    const { mimeType, data } = recordOf(inlineData);
    return mimeType === 'application/pdf' ? { pdf: String(data) } : { picture: String(data) };
  }
  if (fileData) return { pictureUrl: String(recordOf(fileData).fileUri) };
  return thought === true || (text === '' && signature !== '') ? { thought: String(text), signature } : String(text);
}

/** Google counts thoughts beside the candidates. */
function usageOf({ prompt, cached, completion, reasoning }: WireUsage): JsonObject {
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - reasoning,
    totalTokenCount: prompt + completion,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}

/** Of calls made side by side the first one is signed. */
function partsOf({ parts }: Say): JsonObject[] {
  const thought = parts.find((part) => 'thought' in part);
  const signature = thought ? { thoughtSignature: thought.signature } : {};
  const hasCalls = parts.some((part) => 'calls' in part);
  return parts.flatMap((part): JsonObject[] => {
    if ('text' in part) return [{ text: part.text }];
    if ('thought' in part) return [{ text: part.thought, thought: true, ...(!hasCalls && signature) }];
    return part.calls.map(({ id, name, input }, index) => ({
      functionCall: { id, name, ...(input && { args: input }) },
      ...(index === 0 && signature),
    }));
  });
}

// A stop sequence ends the response like any other end here.
const finishReasons = { stop: 'STOP', length: 'MAX_TOKENS', tool: 'STOP', refusal: 'SAFETY', stopSequence: 'STOP' };

function chunk(
  parts: JsonObject[],
  model: string,
  { finishReason, usage }: { finishReason?: string; usage: JsonObject },
): JsonObject {
  const candidate = { content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 };
  return { candidates: [candidate], usageMetadata: usage, modelVersion: model, responseId: 'r-m1' };
}

function events(say: Say, model: string): WireEvent[] {
  const { prompt } = say.usage;
  const early = { promptTokenCount: prompt, totalTokenCount: prompt };
  const pieces = partsOf(say).flatMap((part): JsonObject[] => {
    if (typeof part.text !== 'string') return [part];
    const { text, thoughtSignature, ...rest } = part;
    const told = piecesOf(String(text)).map((piece) => ({ ...rest, text: piece }));
    return thoughtSignature === undefined ? told : [...told, { ...rest, text: '', thoughtSignature }];
  });
  return [
    ...pieces.map((part) => ({ data: chunk([part], model, { usage: early }) })),
    { data: chunk([{ text: '' }], model, { finishReason: finishReasons[say.finish], usage: usageOf(say.usage) }) },
  ];
}

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

function errorOf(status: number, message: string): JsonObject {
  return { error: { code: status, message, status: statuses[status] ?? 'INTERNAL' } };
}

export const geminiWire: Wire = {
  refuse,
  read,
  whole: (say, model) =>
    chunk(partsOf(say), model, { finishReason: finishReasons[say.finish], usage: usageOf(say.usage) }),
  events,
  error: errorOf,
  errorEvent: (message) => ({ data: errorOf(503, message) }),
};

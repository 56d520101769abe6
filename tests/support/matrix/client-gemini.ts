import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import type { Call, ClientTarget, Finish, MatrixClient, Piece, Question, Reply, Turn } from './question.ts';

/** The `@google/genai` SDK, as for AI Studio. */
export function geminiClient({ url, key }: ClientTarget): MatrixClient {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  return {
    async ask(question) {
      const request = writeRequest(question);
      if (!question.stream) return readResponse([await client.models.generateContent(request)]);
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
      return readResponse(chunks);
    },
    raised(error) {
      const isTyped = error instanceof ApiError;
      return {
        isTyped,
        kind: isTyped ? error.constructor.name : String(error),
        status: isTyped ? error.status : undefined,
        text: error instanceof Error ? error.message : String(error),
      };
    },
  };
}

function writeRequest(question: Question): GenerateContentParameters {
  const { model, system, turns, tools, choice, schema, thinking, stop, maxTokens } = question;
  const config: GenerateContentConfig = {
    ...(system !== undefined && { systemInstruction: system }),
    ...(tools && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, schema: parametersJsonSchema }) => ({
            name,
            description,
            parametersJsonSchema,
          })),
        },
      ],
    }),
    ...(choice && { toolConfig: { functionCallingConfig: writeChoice(choice) } }),
    ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
    ...(thinking && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } }),
    ...(stop && { stopSequences: stop }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
  };
  return { model, contents: turns.map(writeTurn), config };
}

function writeChoice(choice: NonNullable<Question['choice']>) {
  if (typeof choice !== 'string') return { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: [choice.name] };
  return { mode: choice === 'none' ? FunctionCallingConfigMode.NONE : FunctionCallingConfigMode.ANY };
}

function writeTurn(turn: Turn): Content {
  if ('back' in turn) return turn.back as Content;
  if ('user' in turn) return { role: 'user', parts: turn.user.map(writePiece) };
  if ('results' in turn) {
    const parts = turn.results.map(({ id, name, text, isError, picture }) => ({
      functionResponse: {
        id,
        name,
        response: isError ? { error: text } : { output: text },
        ...(picture && { parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] }),
      },
    }));
    return { role: 'user', parts };
  }
  const { text, calls = [] } = turn.assistant;
  const said = text === undefined ? [] : [{ text }];
  return {
    role: 'model',
    parts: [...said, ...calls.map((call, index) => writeCall(call, index === 0))],
  };
}

/** Google's own word for a call whose signature is not known: only the first of a turn is asked for one. */
function writeCall({ id, name, input }: Call, isFirst: boolean): Part {
  const signature = isFirst ? { thoughtSignature: 'skip_thought_signature_validator' } : {};
  return { functionCall: { id, name, args: input }, ...signature };
}

function writePiece(piece: Piece): Part {
  if ('text' in piece) return { text: piece.text };
  if ('pictureUrl' in piece) return { fileData: { fileUri: piece.pictureUrl, mimeType: 'image/png' } };
  const [mimeType, data] = 'pdf' in piece ? ['application/pdf', piece.pdf] : ['image/png', piece.picture];
  return { inlineData: { mimeType, data } };
}

function readResponse(chunks: GenerateContentResponse[]): Reply {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const texts = parts.filter(({ text, thought }) => text && !thought);
  const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
  const last = chunks.at(-1);
  const {
    promptTokenCount = 0,
    candidatesTokenCount = 0,
    thoughtsTokenCount = 0,
    cachedContentTokenCount = 0,
  } = last?.usageMetadata ?? {};
  return {
    text: texts.map(({ text }) => text).join(''),
    reasoning: parts.map(({ text, thought }) => (thought ? (text ?? '') : '')).join(''),
    calls: calls.map(({ id = '', name = '', args = {} }) => ({ id, name, input: args })),
    finish: finishOf(chunks.map(({ candidates }) => candidates?.[0]?.finishReason).find(Boolean), calls.length > 0),
    usage: {
      prompt: promptTokenCount,
      cached: cachedContentTokenCount,
      completion: candidatesTokenCount + thoughtsTokenCount,
    },
    pieces: texts.length,
    back: { role: 'model', parts: parts.filter((part) => part.text !== '' || part.thoughtSignature) },
  };
}

/** This protocol has no reason of its own for calls. */
function finishOf(reason: string | undefined, hasCalls: boolean): Finish | undefined {
  if (reason === 'STOP') return hasCalls ? 'tool' : 'stop';
  if (reason === 'MAX_TOKENS') return 'length';
  return reason === 'SAFETY' ? 'filter' : undefined;
}

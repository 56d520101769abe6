import { expect } from 'vitest';
import { failure, json, type RecordedRequest, sse } from '../upstream-script.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const secretKey = 'exampleSecretKey0000000000000000';
const key = `1300000000|AKIDexample0000000000000000000000000|${secretKey}`;
const common = { Note: 'note', Created: 1_700_000_000, Id: 'hy1' };
const usage = (completion: number) => ({ PromptTokens: 6, CompletionTokens: completion, TotalTokens: 6 + completion });
const call = { Id: 'call_h1', Type: 'function', Function: { Name: 'get_weather', Arguments: '{"city":"Paris"}' } };

function whole(message: Record<string, unknown>, reason = 'stop') {
  const choice = { Index: 0, Message: { Role: 'assistant', ...message }, FinishReason: reason };
  return json(200, { Response: { RequestId: 'r-1', ...common, Choices: [choice], Usage: usage(3) } });
}

/** Not wrapped, and without `[DONE]`. */
function stream(deltas: Record<string, unknown>[], reason = 'stop') {
  return sse(
    deltas.map((delta, place) => {
      const FinishReason = place === deltas.length - 1 ? reason : '';
      const choice = { Index: 0, Delta: { Role: 'assistant', ...delta }, FinishReason };
      return { ...common, Choices: [choice], Usage: usage(Math.min(3, place + 1)) };
    }),
  );
}

function refusal(code: string, kind: ErrorFixture['kind']): ErrorFixture {
  const response = { Error: { Code: code, Message: 'It went wrong.' }, RequestId: 'r-2' };
  return { title: code, kind, response: json(200, { Response: response }) };
}

function asked(action: string, body: Record<string, unknown>) {
  return ({ path, headers, json: sent }: RecordedRequest) => {
    expect(path).toBe('/');
    expect(headers).toMatchObject({ 'x-tc-action': action, 'x-tc-version': '2023-09-01' });
    expect(headers['content-type']).toBe('application/json');
    expect(headers.authorization).toMatch(
      /^TC3-HMAC-SHA256 Credential=AKIDexample0+\/\d{4}-\d\d-\d\d\/hunyuan\/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=[\da-f]{64}$/,
    );
    expect(sent).toMatchObject(body);
  };
}

export const tencent: VendorFixture = {
  type: 23,
  variant: '',
  channel: { key },
  lacks: {
    rerank: 'noApi',
    images: 'otherService',
    speech: 'otherService',
    transcription: 'otherService',
    models: 'noApi',
    balance: 'noApi',
  },
  chat: {
    model: 'hunyuan-turbos-latest',
    text: {
      whole: whole({ Content: 'Hello from upstream.' }),
      stream: stream([{ Content: 'Hello ' }, { Content: 'from ' }, { Content: 'upstream.' }]),
      asked: asked('ChatCompletions', {
        Model: 'hunyuan-turbos-latest',
        Messages: [
          { Role: 'system', Content: 'Be brief.' },
          { Role: 'user', Content: 'Hi' },
        ],
      }),
    },
    tool: {
      whole: whole({ Content: '', ToolCalls: [call] }, 'tool_calls'),
      stream: stream(
        [
          { Content: '', ToolCalls: [{ ...call, Index: 0, Function: { Name: 'get_weather', Arguments: '' } }] },
          { ToolCalls: [{ Index: 0, Function: { Arguments: '{"city":' } }] },
          { ToolCalls: [{ Index: 0, Function: { Arguments: '"Paris"}' } }] },
        ],
        'tool_calls',
      ),
      asked({ json: body }) {
        const { Tools } = body as { Tools: { Function: { Name: string; Parameters: string } }[] };
        expect(Tools[0]?.Function.Name).toBe('get_weather');
        expect(JSON.parse(Tools[0]?.Function.Parameters ?? '')).toMatchObject({ required: ['city'] });
      },
    },
    vision: {
      model: 'hunyuan-vision',
      asked({ json: body }) {
        const { Messages } = body as { Messages: { Contents: unknown[] }[] };
        expect(Messages[0]?.Contents).toContainEqual({
          Type: 'image_url',
          ImageUrl: { Url: 'data:image/png;base64,iVBORw==' },
        });
      },
    },
    usage: { prompt: 6, completion: 3 },
  },
  embeddings: {
    model: 'hunyuan-embedding',
    prompt: 2,
    response: json(200, {
      Response: {
        Data: [{ Embedding: [0.1, 0.2], Index: 0, Object: 'embedding' }],
        Usage: { PromptTokens: 2, TotalTokens: 2 },
        RequestId: 'r-3',
      },
    }),
    asked: asked('GetEmbedding', { Input: 'Hi' }),
  },
  errors: [
    refusal('AuthFailure.SignatureFailure', 'dead'),
    refusal('AuthFailure.SignatureExpire', 'retry'),
    refusal('FailedOperation.ServiceStopArrears', 'balance'),
    refusal('FailedOperation.ServiceNotActivated', 'dead'),
    refusal('FailedOperation.EngineServerError', 'retry'),
    refusal('RequestLimitExceeded.UserLimit', 'retry'),
    refusal('InvalidParameterValue.Model', 'client'),
    refusal('OperationDenied.TextIllegalDetected', 'policy'),
    {
      title: 'a model that timed out in the stream',
      response: json(200, { ...common, Choices: [], ErrorMsg: { Msg: 'model timeout', Code: 4001 } }),
      kind: 'retry',
    },
    { title: 'broken gateway', response: failure(502), kind: 'retry' },
  ],
};

import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import OpenAI from 'openai';
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claudeCodeCall, claudeCodeHeaders, codexCall } from '../../../support/matrix/agents.ts';
import { anthropicClient } from '../../../support/matrix/client-anthropic.ts';
import { upstreamNames } from '../../../support/matrix/features.ts';
import { type Stage, setStage } from '../../../support/matrix/run-matrix.ts';
import { upstreamKinds } from '../../../support/matrix/upstreams.ts';
import type { Say } from '../../../support/matrix/wire.ts';

const usage = { prompt: 9000, cached: 8000, written: 0, completion: 700, reasoning: 200 };
/** Long enough for a hundred pieces on their way. */
const longText = 'The build fails because the compiler is missing. '.repeat(200);

const works = (signature: string): Say => ({
  parts: [
    { thought: 'A missing compiler.', signature },
    { text: longText },
    {
      calls: [
        { id: 'toolu_c1', name: 'Bash', input: { path: 'make' } },
        { id: 'toolu_c2', name: 'mcp__github__create_pull_request', input: { path: 'main' } },
      ],
    },
  ],
  finish: 'tool',
  usage,
});

const thinkingKinds = [
  ['adaptive', { type: 'adaptive' }],
  ['by budget', { type: 'enabled', budget_tokens: 10_000 }],
  ['off', { type: 'disabled' }],
] as const;

describe('coding agents', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage(anthropicClient);
  });
  afterEach(() => stage.upstream.reset());
  afterAll(async () => {
    await stage.gateway.verifyBooks();
    await stage.gateway.stop();
  });

  const claude = () =>
    new Anthropic({
      baseURL: stage.gateway.url,
      apiKey: stage.gateway.key,
      maxRetries: 0,
      defaultHeaders: claudeCodeHeaders,
    });
  const openai = () => new OpenAI({ baseURL: `${stage.gateway.url}/v1`, apiKey: stage.gateway.key, maxRetries: 0 });

  describe.each(upstreamNames)('on %s', (upstream) => {
    const { model, signature } = upstreamKinds[upstream];
    const isClaude = signature.startsWith('sig-anthropic');
    const claudeSignature = isClaude ? signature : 'sig-anthropic';
    // Claude Code itself asks older models by budget alone.
    const kinds = thinkingKinds.filter(([, { type }]) => type !== 'adaptive' || !model.includes('4-5'));

    it.each(kinds)("Claude Code's call is served, thinking %s", async (_name, thinking) => {
      stage.upstream.say(works(signature));
      const message = await claude()
        .messages.stream(claudeCodeCall(model, thinking, claudeSignature))
        .finalMessage();
      expect(stage.upstream.refusal()).toBeUndefined();
      const seen = stage.upstream.seen();
      expect(seen.tools).toHaveLength(20);
      expect(seen.system).toContain('You are a coding agent.');
      // A line that changes with every call would keep other vendors' caches from ever being hit.
      expect(seen.system.includes('x-anthropic-billing-header')).toBe(isClaude);
      expect(JSON.stringify(seen.turns)).toContain('command missing');
      const blocks = message.content.filter(({ type }) => type !== 'thinking');
      expect(blocks.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use']);
      expect(blocks[0]).toMatchObject({ text: longText });
      expect(blocks[2]).toMatchObject({ name: 'mcp__github__create_pull_request', input: { path: 'main' } });
      expect([message.stop_reason, message.usage.cache_read_input_tokens]).toEqual(['tool_use', 8000]);
    });

    it('Claude Code counts its prompt, free of charge', async () => {
      const before = await stage.gateway.quotaOf(stage.gateway.userId);
      const { messages, system, tools } = claudeCodeCall(model, { type: 'disabled' }, claudeSignature);
      stage.upstream.count(1234);
      const counted = await claude().messages.countTokens({
        model,
        messages,
        ...(system && { system }),
        ...(tools && { tools: tools as Anthropic.MessageCountTokensTool[] }),
      });
      expect(counted.input_tokens).toBeGreaterThan(500);
      expect(await stage.gateway.quotaOf(stage.gateway.userId)).toBe(before);
    });

    it("Anthropic's tool runner sends the whole conversation, as no server of Tollgate keeps it", async () => {
      const call = { calls: [{ id: 'toolu_w1', name: 'weather', input: { city: 'Paris' } }] };
      stage.upstream.say({ parts: [call], finish: 'tool', usage });
      const run = ({ city }: { city: string }) => {
        stage.upstream.say({ parts: [{ text: 'It is sunny.' }], finish: 'stop', usage });
        return `sunny in ${city}`;
      };
      const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
      const weather = betaTool({ name: 'weather', description: 'Tells the weather', inputSchema, run });
      const ask = { role: 'user' as const, content: 'How is Paris?' };
      const last = await claude().beta.messages.toolRunner({
        model,
        max_tokens: 1000,
        messages: [ask],
        tools: [weather],
      });
      expect(last.content).toMatchObject([{ text: 'It is sunny.' }]);
      expect(stage.upstream.lastCall().body.toString('utf8')).toContain('sunny in Paris');
    });

    it("Codex CLI's calls are served, turn after turn, with all it has got so far", async () => {
      stage.upstream.say(codexResponse(signature));
      const first = await codex(openai(), model, []);
      expect(stage.upstream.refusal()).toBeUndefined();
      expect(stage.upstream.seen().tools).toEqual(expect.arrayContaining(['shell']));
      // OpenAI's own pages are for its own models; others have their tools without them.
      const offered = stage.upstream.lastCall().body.toString('utf8');
      expect(/"type":"web_search"|googleSearch/.test(offered)).toBe(upstream === 'openai-responses');
      const call = first.output.find((item) => item.type === 'function_call');
      expect(call).toMatchObject({ name: 'shell', arguments: '{"command":["ls"]}' });
      const output: ResponseInputItem = { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'a.ts' };
      const patch: ResponseInputItem[] = [
        {
          type: 'custom_tool_call',
          call_id: 'call_patch',
          name: 'apply_patch',
          input: '*** Begin Patch\n*** End Patch',
        },
        { type: 'custom_tool_call_output', call_id: 'call_patch', output: 'Done' },
      ];
      stage.upstream.say({ parts: [{ text: 'It is fixed.' }], finish: 'stop', usage });
      const second = await codex(openai(), model, [...(first.output as ResponseInputItem[]), output, ...patch]);
      expect(second.output_text).toBe('It is fixed.');
      const told = stage.upstream.lastCall().body.toString('utf8');
      expect(told).toContain('*** Begin Patch');
      expect(told).toContain(signature);
    });
  });
});

const codexResponse = (signature: string): Say => ({
  parts: [
    { thought: 'Look around first.', signature },
    { calls: [{ id: 'call_ls1', name: 'shell', input: { command: ['ls'] } }] },
  ],
  finish: 'tool',
  usage,
});

/** As Codex reads it: items as they are done, and the end it waits for. */
async function codex(client: OpenAI, model: string, history: ResponseInputItem[]): Promise<Response> {
  const items: string[] = [];
  for await (const event of await client.responses.create(codexCall(model, history))) {
    if (event.type === 'response.output_item.done') items.push(event.item.id ?? '');
    if (event.type !== 'response.completed') continue;
    expect(event.response.output.map(({ id }) => id)).toEqual(items);
    const text = event.response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
    const output_text = text.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
    return { ...event.response, output_text };
  }
  throw new Error(`the response never completed; items: ${items.join()}`);
}

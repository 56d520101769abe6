import { describe, expect, it } from 'vitest';
import type { ChatUpstreamCodec } from '../../../core/canonical/chat-codec.ts';
import { anthropicUpstream } from '../../../core/wire/anthropic-messages/upstream-codec.ts';
import { geminiUpstream } from '../../../core/wire/gemini/upstream-codec.ts';
import { readResponseUsage } from '../../../core/wire/openai-chat/usage.ts';
import { openaiResponsesUpstream } from '../../../core/wire/openai-responses/upstream-codec.ts';

const identity = { id: 'x1', model: 'gpt-5.4', created: 1_767_322_800 };

function usageOf(upstream: ChatUpstreamCodec, response: unknown, model = identity.model) {
  const events = upstream.readResponse(response, { identity: { ...identity, model } });
  return events.findLast((event) => event.type === 'usage')?.usage;
}

describe('tools OpenAI ran', () => {
  const response = (output: object[], more: object = {}) => ({
    id: 'resp_1',
    status: 'completed',
    model: 'gpt-5.4',
    output,
    usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
    ...more,
  });
  const search = { type: 'web_search_call', status: 'completed' };

  it.each([
    ['fewer than were made', { num_requests: 1 }, { file_search: 1, web_search: 1 }],
    ['none', { num_requests: 0 }, { file_search: 1 }],
    ['what is no count', { num_requests: -1 }, { file_search: 1, web_search: 2 }],
  ])('are paid as OpenAI counts its searches: %s', (_case, told, uses) => {
    const file = { type: 'file_search_call', id: 'f', status: 'completed' };
    const output = [{ ...search, id: 'a' }, { ...search, id: 'b' }, file];
    const usage = usageOf(openaiResponsesUpstream, response(output, { tool_usage: { web_search: told } }));
    expect(usage?.serverTools).toEqual(uses);
  });

  it.each([
    ['nothing', [], undefined],
    [
      'searches, not the pages read afterwards',
      [
        { ...search, id: 'a', action: { type: 'search', queries: ['x', 'y'] } },
        { ...search, id: 'b', action: { type: 'open_page', url: 'https://example.com' } },
        { ...search, id: 'c', action: { type: 'find_in_page' } },
        { ...search, id: 'd' },
      ],
      { web_search: 2 },
    ],
    ['nothing for one that failed', [{ ...search, id: 'a', status: 'failed' }], undefined],
    [
      'files, and containers once each',
      [
        { type: 'file_search_call', id: 'a', status: 'completed' },
        { type: 'file_search_call', id: 'b', status: 'completed' },
        { type: 'code_interpreter_call', id: 'c', container_id: 'cntr_1', status: 'completed' },
        { type: 'code_interpreter_call', id: 'd', container_id: 'cntr_1', status: 'completed' },
        { type: 'code_interpreter_call', id: 'e', container_id: 'cntr_2', status: 'completed' },
      ],
      { file_search: 2, code_interpreter: 2 },
    ],
    [
      'pictures by quality and size',
      [
        { type: 'image_generation_call', id: 'a', status: 'completed', quality: 'high', size: '1536x1024' },
        { type: 'image_generation_call', id: 'b', status: 'completed', quality: 'low', size: '1024x1024' },
        { type: 'image_generation_call', id: 'c', status: 'completed' },
        { type: 'image_generation_call', id: 'd', status: 'completed', quality: 'max', size: '1024x1024' },
        { type: 'image_generation_call', id: 'e', status: 'completed', quality: 'xhigh', size: '1536x1024' },
      ],
      { image_high_wide: 2, image_high: 1, image_low: 1, image_medium: 1 },
    ],
    [
      'nothing for the client’s own functions',
      [{ type: 'function_call', id: 'a', name: 'f', call_id: 'c' }],
      undefined,
    ],
  ])('are counted: %s', (_what, output, uses) => {
    expect(usageOf(openaiResponsesUpstream, response(output))?.serverTools).toEqual(uses);
  });

  it('are counted once in a stream, whether or not its end repeats them', () => {
    const item = { ...search, id: 'ws_1', action: { type: 'search' } };
    for (const output of [[], [item]]) {
      const reader = openaiResponsesUpstream.createStreamReader({ identity });
      const events = [
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: response(output) },
      ].flatMap((event) => reader.event(event));
      expect(events.find((event) => event.type === 'usage')?.usage.serverTools).toEqual({ web_search: 1 });
    }
  });

  it('include the older search, dearer with models that do not reason', () => {
    const tools = [{ type: 'web_search_preview_2025_03_11' }];
    const uses = (model: string) =>
      usageOf(openaiResponsesUpstream, response([{ ...search, id: 'a' }], { tools, model }));
    expect(uses('gpt-4.1')?.serverTools).toEqual({ web_search_preview: 1 });
    expect(uses('o4-mini')?.serverTools).toEqual({ web_search: 1 });
  });

  it('include the one search of a chat model that always searches', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
    const uses = (model: string) => readResponseUsage({ model, usage })?.serverTools;
    expect(uses('gpt-4o-search-preview-2025-03-11')).toEqual({ web_search_preview: 1 });
    expect(uses('gpt-5-search-api')).toEqual({ web_search: 1 });
    expect(uses('acme-search-large')).toBeUndefined();
    expect(
      readResponseUsage({ usage: { ...usage, server_tool_use: { web_search_requests: 3 } } })?.serverTools,
    ).toEqual({
      web_search: 3,
    });
  });
});

describe('searches of Gemini', () => {
  const response = (groundingMetadata: object, modelVersion: string) => ({
    modelVersion,
    candidates: [{ index: 0, content: { parts: [{ text: 'x' }] }, finishReason: 'STOP', groundingMetadata }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
  });
  const found = { groundingChunks: [{ web: { uri: 'https://example.com' } }], webSearchQueries: ['a', 'b', '', 'a'] };

  it('count by query since Gemini 3, by response before', () => {
    const uses = (model: string) => usageOf(geminiUpstream, response(found, model))?.serverTools;
    expect(uses('gemini-3-pro-preview')).toEqual({ google_search: 2 });
    expect(uses('gemini-2.5-flash')).toEqual({ google_search_answer: 1 });
    expect(uses('gemini-3.5-flash')).toEqual({ google_search: 2 });
  });

  it('count maps, and nothing for a response that did not search', () => {
    const maps = { groundingChunks: [{ maps: { uri: 'https://maps.example.com' } }] };
    expect(usageOf(geminiUpstream, response(maps, 'gemini-2.5-pro'))?.serverTools).toEqual({ google_maps: 1 });
    expect(usageOf(geminiUpstream, response({}, 'gemini-2.5-pro'))?.serverTools).toBeUndefined();
  });

  it('are not counted twice when the last chunks of a stream repeat them', () => {
    const reader = geminiUpstream.createStreamReader({ identity });
    const events = [response(found, 'gemini-3-pro'), response(found, 'gemini-3-pro')].flatMap((chunk) =>
      reader.event(chunk),
    );
    const usage = [...events, ...reader.end()].find((event) => event.type === 'usage')?.usage;
    expect(usage?.serverTools).toEqual({ google_search: 2 });
  });

  it('count pictures and sound that tools put into the prompt', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 50,
      candidatesTokenCount: 5,
      totalTokenCount: 155,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 60 },
        { modality: 'IMAGE', tokenCount: 40 },
      ],
      toolUsePromptTokensDetails: [{ modality: 'IMAGE', tokenCount: 30 }],
    };
    const usage = usageOf(geminiUpstream, { ...response({}, 'gemini-3-pro'), usageMetadata });
    expect(usage).toMatchObject({ prompt: 150, imageInput: 70 });
  });
});

describe('the tier that served a call', () => {
  const chat = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };

  it('is what the upstream reports, and nothing for the default one', () => {
    const tiersOf = (service_tier: unknown) => readResponseUsage({ usage: chat, service_tier })?.serviceTiers;
    expect(['flex', 'priority', 'batch'].map(tiersOf)).toEqual([['flex'], ['priority'], ['batch']]);
    for (const tier of ['default', 'auto', 'scale', 'standard', 'on_demand', null, 5])
      expect(tiersOf(tier)).toBeUndefined();
  });

  it('comes with the end of a response', () => {
    const response = { id: 'r', status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1 } };
    expect(usageOf(openaiResponsesUpstream, { ...response, service_tier: 'priority' })?.serviceTiers).toEqual([
      'priority',
    ]);
    expect(usageOf(openaiResponsesUpstream, { ...response, service_tier: 'default' })?.serviceTiers).toBeUndefined();
  });

  it('is tier, speed and place for Anthropic', () => {
    const message = (usage: object) => ({
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 5, ...usage },
    });
    const tiersOf = (usage: object) => usageOf(anthropicUpstream, message(usage))?.serviceTiers;
    expect(tiersOf({ service_tier: 'standard', speed: 'standard', inference_geo: 'global' })).toBeUndefined();
    expect(tiersOf({ service_tier: 'batch' })).toEqual(['batch']);
    expect(tiersOf({ service_tier: 'priority', speed: 'fast', inference_geo: 'us' })).toEqual([
      'priority',
      'fast',
      'us',
    ]);
    expect(tiersOf({ service_tier: null, speed: null })).toBeUndefined();
  });

  it('is the kind of traffic for Vertex', () => {
    const response = (usageMetadata: object) => ({
      candidates: [{ index: 0, content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10, ...usageMetadata },
    });
    const tiersOf = (more: object) => usageOf(geminiUpstream, response(more))?.serviceTiers;
    expect(tiersOf({ trafficType: 'ON_DEMAND' })).toBeUndefined();
    expect(tiersOf({ trafficType: 'ON_DEMAND_FLEX' })).toEqual(['flex']);
    expect(tiersOf({ trafficType: 'ON_DEMAND_PRIORITY' })).toEqual(['priority']);
    expect(tiersOf({ serviceTier: 'flex' })).toEqual(['flex']);
  });
});

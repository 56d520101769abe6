import { expect } from 'vitest';
import { recordOf, type Say, sseResponse, type Wire, type WireEvent } from '../matrix/wire.ts';
import { type FakeResponse, json, type RecordedRequest, type Script } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import type { ChatFixture, ChatResponses } from './vendor-fixture.ts';

const usage = { prompt: 21, cached: 8, written: 0, completion: 9, reasoning: 0 };
const hello: Say = { parts: [{ text: helloText }], finish: 'stop', usage };
const calling: Say = {
  parts: [{ calls: [{ id: 'call_w1', name: 'get_weather', input: { city: 'Paris' } }] }],
  finish: 'tool',
  usage,
};

export interface WireChat {
  model: string;
  /** The protocol that a call came in. */
  wireOf(request: RecordedRequest): Wire;
  /** Where the call must have gone, and with what. */
  asked(request: RecordedRequest): void;
  /** Server-sent events when left out. */
  frame?(events: WireEvent[]): FakeResponse;
}

/** A chat fixture in the words that the great matrix of protocols has for a vendor. */
export function wireChat({ model, wireOf, asked, frame = sseResponse }: WireChat): ChatFixture {
  const say = (said: Say): ChatResponses & { whole: Script } => ({
    whole: (request) => json(200, wireOf(request).whole(said, model)),
    stream: (request) => frame(wireOf(request).events(said, model)),
    asked: expectKnown,
  });
  function expectKnown(request: RecordedRequest): void {
    asked(request);
    const body = recordOf(request.json);
    const isStream = body.stream === true || /stream/i.test(request.path);
    expect(wireOf(request).refuse(body, { path: request.path, stream: isStream, model })).toBeUndefined();
  }
  return {
    model,
    usage: { prompt: 21, completion: 9, cached: 8 },
    text: say(hello),
    tool: say(calling),
    vision: {
      asked(request) {
        expectKnown(request);
        expect(request.body.toString('utf8')).toContain('iVBORw==');
      },
    },
  };
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../start-gateway.ts';
import { type ClientName, exceptionOf, type Outcome } from './cells.ts';
import { type FeatureName, features, type UpstreamName, upstreamNames } from './features.ts';
import type { ClientTarget, MatrixClient, Question, Raised, Reply } from './question.ts';
import { mishaps, type Scene, scenes, showsThinking, thinkingScene, thought } from './scenes.ts';
import { addUpstreams, type MatrixUpstream, scriptUpstream, upstreamKinds } from './upstreams.ts';

export interface Stage {
  gateway: TestGateway;
  upstream: MatrixUpstream;
  client: MatrixClient;
  /** Headers of the gateway's last response. */
  headers(): Headers;
}

const works: Outcome = { kind: 'works' };

/** One client against every upstream, every feature: each cell has to be what `cells.ts` declares. */
export function playMatrix(name: ClientName, createClient: (target: ClientTarget) => MatrixClient): void {
  describe(`the ${name} client`, () => {
    let stage: Stage;
    const { fetch } = globalThis;

    beforeAll(async () => {
      stage = await setStage(createClient);
    });
    afterEach(() => stage.upstream.reset());
    afterAll(async () => {
      globalThis.fetch = fetch;
      await stage.gateway.verifyBooks();
      await stage.gateway.stop();
    });

    describe.each(upstreamNames)('on %s', (upstream) => {
      const played = features.filter(
        ([feature]) => feature !== 'stall' && outcomeOf(name, upstream, feature).kind !== 'unsaid',
      );
      it.each(played)('%s: %s', async (feature) => {
        const mishap = mishaps[feature];
        for (const stream of [false, true]) {
          const outcome = outcomeOf(name, upstream, feature, stream);
          if (mishap) await playMishap(stage, { upstream, feature, stream });
          else await playScene(stage, { upstream, feature, stream, outcome });
        }
      });
    });

    it('is told of a stream that falls silent, on every upstream', async () => {
      await Promise.all(
        upstreamNames.map((upstream) => playMishap(stage, { upstream, feature: 'stall', stream: true })),
      );
    });
  });
}

function outcomeOf(client: ClientName, upstream: UpstreamName, feature: FeatureName, stream = false): Outcome {
  const { outcome = works, streamed = outcome } = exceptionOf(client, upstream, feature) ?? {};
  return stream ? streamed : outcome;
}

/** A gateway with a channel for every column. */
export async function setStage(createClient: (target: ClientTarget) => MatrixClient): Promise<Stage> {
  const gateway = await startGateway('sqlite', { STREAMING_TIMEOUT: '1', UPSTREAM_PRIVATE: '127.0.0.1' });
  await addUpstreams(gateway);
  // Prices are another test's business; what is unknown would be refused.
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.setOption('WorkerValidKey', 'worker-key');
  await gateway.setOption('WorkerUrl', `${gateway.upstream.url}/worker`);
  const { fetch } = globalThis;
  let last: Headers | undefined;
  // Not every SDK shows the headers of its responses.
  globalThis.fetch = async (...parameters) => {
    const response = await fetch(...parameters);
    last = response.headers;
    return response;
  };
  const upstream = scriptUpstream(gateway.upstream);
  upstream.reset();
  return {
    gateway,
    upstream,
    client: createClient({ url: gateway.url, key: gateway.key }),
    headers: () => last ?? new Headers(),
  };
}

interface Playing {
  upstream: UpstreamName;
  feature: FeatureName;
  stream: boolean;
}

async function playScene(stage: Stage, playing: Playing & { outcome: Outcome }): Promise<void> {
  const { upstream, feature, stream, outcome } = playing;
  const { model, signature } = upstreamKinds[upstream];
  const isThinking = feature === 'thinking' || feature === 'thinking-back';
  const scene = isThinking ? thinkingScene(signature) : scenes[feature];
  if (!scene) throw new Error(`nobody plays ${feature}`);
  stage.upstream.say(scene.say);
  const question: Question = { ...scene.question, model, stream };
  if (outcome.kind === 'refused') return expectRefused(stage, question, outcome.says);
  const reply = await askOrExplain(stage, question);
  if (feature === 'thinking-back') return playNextTurn(stage, playing, question, reply);
  await expectServed(stage, playing, scene, reply);
}

async function expectServed(
  stage: Stage,
  { upstream, outcome, stream, feature }: Playing & { outcome: Outcome },
  scene: Scene,
  reply: Reply,
): Promise<void> {
  scene.understood?.(
    outcome.kind === 'forgotten' && showsThinking(upstream) ? { ...reply, reasoning: thought } : reply,
    upstream,
  );
  if (stream && feature === 'text') expect(reply.pieces).toBeGreaterThan(1);
  await expectLosses(stage, outcome);
  if (outcome.kind === 'works') scene.told?.(stage.upstream.seen(), upstream);
}

/** The response goes back with the tool's result, and with it what the vendor thought. */
async function playNextTurn(
  stage: Stage,
  { upstream, outcome }: Playing & { outcome: Outcome },
  question: Question,
  reply: Reply,
): Promise<void> {
  const [call] = reply.calls;
  if (!call) throw new Error('no call to answer');
  const text = scenes.text;
  if (!text) throw new Error('nobody plays text');
  stage.upstream.say(text.say);
  const results = [{ id: call.id, name: call.name, text: 'Rain, 8' }];
  const next = await askOrExplain(stage, {
    ...question,
    turns: [...question.turns, { back: reply.back }, { results }],
  });
  expect(next.text).toBe('Hello from upstream.');
  await expectLosses(stage, outcome);
  if (outcome.kind === 'forgotten') return;
  const { signature } = upstreamKinds[upstream];
  const body = stage.upstream.lastCall().body.toString('utf8');
  expect(body).toContain(signature);
  // Google signs the call, all others what was thought.
  const signsCalls = upstream === 'gemini' || upstream === 'vertex-gemini';
  if (showsThinking(upstream) && !signsCalls) expect(body).toContain(thought);
}

/** Hints that an SDK adds by itself to some of its calls: they were not requested. */
const ownHints = ['tools.eager_input_streaming'];

/** Header and log say the same, and nothing is lost that the cell does not name. */
async function expectLosses({ gateway, headers }: Stage, outcome: Outcome): Promise<void> {
  const fields = 'fields' in outcome ? (outcome.fields ?? []) : [];
  const header = headers().get('x-tollgate-dropped') ?? '';
  const isMeant = (field: string) => !ownHints.includes(field);
  expect(header.split(', ').filter(Boolean).filter(isMeant).sort()).toEqual([...fields].sort());
  const logged = ((await gateway.lastLog())?.other.conversion ?? []) as { field: string; kind: string }[];
  const named = logged.map(({ field, kind }) => (kind === 'emulated' ? `${field};emulated` : field));
  expect(named.filter(isMeant).sort()).toEqual([...fields].sort());
}

async function askOrExplain({ client, upstream }: Stage, question: Question): Promise<Reply> {
  try {
    return await client.ask(question);
  } catch (error) {
    const refusal = upstream.refusal();
    const sent =
      refusal === undefined ? '' : `: ${refusal}\n${upstream.lastCall().body.toString('utf8').slice(0, 4000)}`;
    throw new Error(`${client.raised(error).text}${sent}`, { cause: error });
  }
}

async function raisedBy({ client }: Stage, question: Question): Promise<Raised> {
  const reply = await client.ask(question).catch((error: unknown) => client.raised(error));
  if (!('isTyped' in reply)) throw new Error(`served instead of refused: ${JSON.stringify(reply)}`);
  return reply;
}

async function expectRefused(stage: Stage, question: Question, says: RegExp): Promise<void> {
  const raised = await raisedBy(stage, question);
  expect([raised.isTyped, raised.status, raised.text]).toEqual([true, 400, expect.stringMatching(says)]);
}

async function playMishap(stage: Stage, { upstream, feature, stream }: Playing): Promise<void> {
  const mishap = mishaps[feature];
  const text = scenes.text;
  if (!mishap || !text) throw new Error(`nobody plays ${feature}`);
  if (mishap.streamedOnly && !stream) return;
  const question: Question = { ...text.question, model: upstreamKinds[upstream].model, stream };
  stage.upstream.say(text.say);
  stage.upstream.fail(mishap.fault);
  const raised = await raisedBy(stage, question);
  expect(raised, raised.text).toMatchObject({ isTyped: true });
  if (mishap.status !== undefined) expect(mishap.status, raised.text).toContain(raised.status);
  expect(raised.text).not.toContain('upstream-key');
  if (feature === 'error-429') expect(Number(stage.headers().get('retry-after'))).toBeGreaterThan(0);
  if (feature === 'stall') return;
  // Failures in a row would take the channel out for a while.
  stage.upstream.say(text.say);
  expect((await askOrExplain(stage, { ...question, stream: false })).text).toBe('Hello from upstream.');
}

import { expect } from 'vitest';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import type { MatrixClient } from '../matrix/question.ts';
import { resolve, type Script, sse } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import { question, scriptOf } from './play-chat.ts';
import { aliasOf, channelOf, type Stage, takenOverText } from './stage.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

export interface ErrorPlay {
  stage: Stage;
  fixture: VendorFixture;
  client: MatrixClient;
}

/** An error in every place a vendor may put it: instead of a response, instead of a stream, at its beginning. */
export async function playError(play: ErrorPlay, error: ErrorFixture): Promise<void> {
  const { fixture } = play;
  await playOnce(play, error, error.response, false);
  if (!fixture.chat) return;
  await playOnce(play, error, error.response, true);
  const streamed = error.streamed === undefined ? asEvent(error.response) : error.streamed;
  if (streamed) await playOnce(play, error, streamed, true);
}

/** JSON that came with 200 may as well be the first event of a stream. */
function asEvent(script: Script): Script | undefined {
  if (typeof script === 'function') return undefined;
  const { status = 200, headers = {}, body } = resolve(script);
  const isDocument = status === 200 && String(headers['content-type']).includes('json') && body;
  return isDocument ? sse([body.toString('utf8')]) : undefined;
}

async function playOnce(play: ErrorPlay, { kind }: ErrorFixture, script: Script, isStream: boolean): Promise<void> {
  const { stage, fixture } = play;
  stage.play(fixture, script);
  const outcome = await ask(play, isStream);
  const isElsewhere = stage.takenOver() > 0;
  if (kind === 'client' || kind === 'policy') {
    expect(isElsewhere).toBe(false);
    expect(outcome).toMatchObject({ isTyped: true });
    const { status = 0, text } = outcome as { status?: number; text: string };
    expect(text).not.toContain(channelOf(fixture, '').key);
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(kind === 'policy' ? 401 : 500);
  } else {
    expect(outcome).toBe(takenOverText);
  }
  const isOff = kind === 'dead' || kind === 'balance';
  if (isOff) await expect.poll(() => stage.statusOf(fixture)).toBe(channelStatus.autoDisabled);
  else expect(await stage.statusOf(fixture)).toBe(channelStatus.enabled);
  if (isOff) await stage.enable(fixture);
  await playWell(play);
}

/** Failures in a row would take the channel out for a while. */
async function playWell(play: ErrorPlay): Promise<void> {
  const { stage, fixture } = play;
  const { chat, embeddings, rerank } = fixture;
  const script = chat ? scriptOf(chat.text, false) : (embeddings ?? rerank)?.response;
  if (!script) throw new Error('nothing can be asked');
  stage.play(fixture, script);
  const outcome = await ask(play, false);
  expect(stage.takenOver()).toBe(0);
  if (chat) expect(outcome).toBe(helloText);
}

/** The text of the response, or what the SDK raised. */
async function ask({ stage, fixture, client }: ErrorPlay, isStream: boolean) {
  const { chat, embeddings, rerank } = fixture;
  if (chat) {
    const asked = client.ask(question({ fixture, chat }, isStream));
    return asked.then(({ text }) => text).catch((error: unknown) => client.raised(error));
  }
  const model = aliasOf(fixture, (embeddings ?? rerank)?.model ?? '');
  const response = embeddings
    ? await stage.gateway.call('/v1/embeddings', { model, input: 'Hi' })
    : await stage.gateway.call('/v1/rerank', { model, query: 'fruit', documents: ['apple', 'banana'] });
  const text = await response.text();
  return response.ok ? takenOverText : { isTyped: true, status: response.status, text };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { CallPlan, CallResult } from './call-load.ts';
import { oneSecondOfSilence } from './sdk-calls.ts';
import { type FakeResponse, json } from './upstream-script.ts';

/** Pictures, speech and transcripts: none is paid by tokens that an upstream reports. */
export const mediaModels = ['dall-e-3', 'tts-1', 'whisper-1'] as const;

type Access = Pick<CallPlan, 'url' | 'key'>;

interface MediaCall {
  quota: number;
  path: string;
  body: object | FormData;
}

const calls: (() => MediaCall)[] = [
  () => ({ quota: 20_000, path: 'images/generations', body: { model: 'dall-e-3', prompt: 'a cat' } }),
  () => {
    const letters = 1 + Math.floor(Math.random() * 500);
    // 15 dollars for a million letters.
    const body = { model: 'tts-1', voice: 'alloy', input: 'a'.repeat(letters) };
    return { quota: Math.round(letters * 7.5), path: 'audio/speech', body };
  },
  () => {
    const body = new FormData();
    body.append('model', 'whisper-1');
    body.append('file', new Blob([oneSecondOfSilence()]), 'voice.wav');
    return { quota: 60, path: 'audio/transcriptions', body };
  },
];

/** What these calls get; undefined for every other path. */
export function mediaResponse({ path }: { path: string }): FakeResponse | undefined {
  if (path.includes('images')) return json(200, { created: 1, data: [{ url: 'https://a.example/1.png' }] });
  if (path.includes('speech')) return { headers: { 'content-type': 'audio/mpeg' }, body: Buffer.alloc(3000, 1) };
  return path.includes('transcriptions') ? json(200, { text: 'Hello' }) : undefined;
}

/** One client for each kind, that calls without a rest until `stopped` says so. */
export async function runMediaCalls(access: Access, stopped: () => boolean, result: CallResult): Promise<void> {
  const work = async (make: () => MediaCall) => {
    while (!stopped()) if (!(await callOnce(access, make(), result))) await wait(150);
  };
  await Promise.all(calls.map(work));
}

async function callOnce({ url, key }: Access, { quota, path, body }: MediaCall, result: CallResult): Promise<boolean> {
  result.begun += 1;
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    await response.arrayBuffer();
    if (response.status !== 200) return false;
    const id = response.headers.get('x-request-id') ?? '';
    result.seen.push({ id, quota, isStream: false, protocol: 'media' });
    return true;
  } catch {
    // No response, or one that broke off: the client does not know what became of the call.
    return false;
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import type { FakeUpstream } from './fake-upstream.ts';
import { type FakeResponse, json, type RecordedRequest } from './upstream-script.ts';

export type VendorName = 'drawing' | 'song' | 'video';
export type JobState = 'running' | 'succeeded' | 'failed';

/** A job as the vendor knows it. */
export interface VendorJob {
  id: string;
  vendor: VendorName;
  state: JobState;
  /** How often it was asked about. */
  asked: number;
}

export interface TaskVendors {
  /** Every job that was taken, in that order. */
  jobs: VendorJob[];
  /** Models of the channel of each, with the number of its type. */
  channels: Readonly<Record<VendorName, { type: number; models: string }>>;
}

/** What becomes of a job when it is asked about once more. */
export type Fate = (job: VendorJob) => JobState;

const channels = {
  drawing: { type: 5, models: 'mj_imagine,mj_upscale,mj_reroll' },
  song: { type: 36, models: 'suno_music' },
  video: { type: 1, models: 'sora-2' },
};

/** midjourney-proxy, a Suno server and OpenAI's videos behind one address: they take every job and tell its state when asked. */
export function startTaskVendors(upstream: FakeUpstream, fate: Fate = () => 'running'): TaskVendors {
  const jobs: VendorJob[] = [];
  upstream.always((request) => respond(request, jobs, fate));
  return { jobs, channels };
}

function respond({ method, path, json: body }: RecordedRequest, jobs: VendorJob[], fate: Fate): FakeResponse {
  const take = (vendor: VendorName, id: string): VendorJob => {
    const job: VendorJob = { id, vendor, state: 'running', asked: 0 };
    jobs.push(job);
    return job;
  };
  const look = (id: unknown): VendorJob[] => {
    const job = jobs.find((known) => known.id === id);
    if (!job) return [];
    job.asked += 1;
    if (job.state === 'running') job.state = fate(job);
    return [job];
  };
  const asked = ((body as { ids?: unknown[] } | undefined)?.ids ?? []).flatMap(look);
  if (path.startsWith('/mj/submit/')) {
    const { id } = take('drawing', `17${randomBytes(7).readUIntBE(1, 6).toString().padStart(15, '0').slice(0, 14)}`);
    return json(200, { code: 1, description: 'ok', result: id, properties: { discordInstanceId: '1118' } });
  }
  if (path === '/mj/task/list-by-condition') return json(200, asked.map(drawing));
  if (path.startsWith('/suno/submit/'))
    return json(200, { code: 'success', message: '', data: take('song', randomUUID()).id });
  if (path === '/suno/fetch') return json(200, { code: 'success', message: '', data: asked.map(song) });
  if (method === 'POST' && path === '/v1/videos')
    return json(200, video(take('video', `video_${randomBytes(8).toString('hex')}`)));
  const [found] = look(path.replace('/v1/videos/', ''));
  if (found) return json(200, video(found));
  return json(404, { error: { message: 'No such video.', type: 'invalid_request_error', param: null, code: null } });
}

/** A job in the words of its vendor. */
export function drawing({ id, state }: VendorJob): object {
  const status = { running: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' }[state];
  return {
    id,
    action: 'IMAGINE',
    status,
    prompt: 'a red cat',
    promptEn: 'a red cat',
    description: '',
    state: '',
    progress: { running: '46%', succeeded: '100%', failed: '' }[state],
    submitTime: 1_700_000_000_123,
    startTime: 1_700_000_003_000,
    finishTime: state === 'running' ? null : 1_700_000_060_000,
    imageUrl: state === 'failed' ? null : `https://cdn.example/${id}.png`,
    failReason: state === 'failed' ? '[Invalid parameter] bad value' : null,
    buttons: [],
    properties: {},
  };
}

export function song({ id, state }: VendorJob): object {
  const status = { running: 'IN_PROGRESS', succeeded: 'SUCCESS', failed: 'FAILURE' }[state];
  return {
    id: 1,
    task_id: id,
    action: 'MUSIC',
    status,
    submit_time: 1_700_000_000,
    start_time: 1_700_000_005,
    fail_reason: state === 'failed' ? 'moderation' : '',
    finish_time: state === 'running' ? 0 : 1_700_000_090,
    data: state === 'failed' ? [] : [{ id: 'clip-a', status: state === 'running' ? 'streaming' : 'complete' }],
  };
}

export function video({ id, state }: VendorJob): object {
  return {
    id,
    object: 'video',
    model: 'sora-2',
    created_at: 1_700_000_000,
    seconds: '4',
    size: '720x1280',
    status: { running: 'in_progress', succeeded: 'completed', failed: 'failed' }[state],
    progress: state === 'running' ? 40 : 100,
    completed_at: state === 'succeeded' ? 1_700_000_090 : null,
    expires_at: state === 'succeeded' ? 1_700_090_000 : null,
    error: state === 'failed' ? { code: 'moderation_blocked', message: 'Blocked.' } : null,
  };
}

/** How a client asks for a job of each kind: 50,000 quota units a drawing or song, 200,000 a video. */
export const submissions: Readonly<Record<VendorName, { path: string; body: object; cost: number }>> = {
  drawing: { path: '/mj/submit/imagine', body: { prompt: 'a red cat' }, cost: 50_000 },
  song: { path: '/suno/submit/music', body: { prompt: '[Verse] la la' }, cost: 50_000 },
  video: { path: '/v1/videos', body: { model: 'sora-2', prompt: 'a cat', seconds: '4' }, cost: 200_000 },
};

/** The id in the response to a new job, whichever vendor gave it. */
export function takenId(vendor: VendorName, body: unknown): string {
  const { result, data, id } = body as { result?: string; data?: string; id?: string };
  return { drawing: result, song: data, video: id }[vendor] ?? '';
}

import type { BodyEdit } from '../../canonical/body-edit.ts';
import type { TaskJob, TaskPlatform } from '../../canonical/task-job.ts';
import type { ErrorContext } from '../../errors/classify-upstream.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import type { TaskStatus } from '../../schemas/task-status.ts';
import type { ChannelTarget } from '../adapter.ts';

export interface TaskRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** In place of it: the client's own form, so changed. */
  edits?: BodyEdit[];
}

/** Longer ones are refused: rows are found by them. */
export const maxTaskId = 256;

/** What a vendor said to a new job. */
export interface Submitted {
  /** What the vendor calls it. */
  taskId: string;
  status: TaskStatus;
  /** `0%` to `100%`. */
  progress: string;
  /** What the vendor last said of the job, for `TaskKind.write`. */
  data: unknown;
  /** The response to the client; undefined = the job as its kind writes it. */
  response: unknown;
  /** Why the vendor did not take it, although nothing failed: nothing is charged, and the client gets the vendor's own response. */
  refusal?: string;
  /** For drawings, as consoles know it: 1 submitted, 21 waiting, 22 submitted twice, 0 not submitted. */
  submitCode?: number;
}

/** What a vendor says of a job under way. */
export interface TaskReport {
  taskId: string;
  status: TaskStatus;
  progress: string;
  /** In the vendor's words; '' unless it failed. */
  failReason: string;
  isCanceled?: boolean;
  /** Unix seconds, 0 = not yet. */
  startTime: number;
  finishTime: number;
  data: unknown;
}

/** A job that is done, and which of its files is wanted: '' = the main one. */
export interface MadeTask {
  taskId: string;
  data: unknown;
  variant: string;
}

/** How a vendor stops a job under way. */
export interface TaskCancellation {
  build(taskId: string, channel: ChannelTarget): TaskRequest;
  /**
   * Of a response with status 2xx: whether it says that the job has stopped; where it does not, the vendor is asked about the job.
   * Throws UpstreamError for what is a refusal anyway.
   */
  read(body: unknown): boolean;
}

/** Our code for one vendor of paid jobs: pure functions around its wire format. Money, retries and the clock are the relay's. */
export interface TaskAdapter {
  /** The kind of job it is for: `suno`. */
  platform: TaskPlatform;
  /** Jobs asked about in one call. */
  maxIds: number;
  /** `model` is the name after the channel's model mapping. Throws AppError when the channel cannot serve this job. */
  buildSubmit(job: TaskJob, channel: ChannelTarget, model: string): TaskRequest;
  /**
   * Of a response with status 2xx. Throws UpstreamError for what is a refusal anyway. `secrets` must not be in the words of a refusal:
   * users read them.
   */
  readSubmit(body: unknown, job: TaskJob, secrets: readonly string[]): Submitted;
  buildPoll(taskIds: readonly string[], channel: ChannelTarget): TaskRequest;
  /** Jobs that the vendor does not name are left out. Throws UpstreamError for what is not a response. */
  readPoll(body: unknown, taskIds: readonly string[]): TaskReport[];
  /** The address of the result; left out where it is in `data`. `isPublic`: on a public host, without a key. */
  buildContent?(task: MadeTask, channel: ChannelTarget): { request: TaskRequest; isPublic: boolean };
  /** Left out where vendors forget by themselves. */
  buildDelete?(taskId: string, channel: ChannelTarget): TaskRequest;
  /** Left out where the vendor has no call for it: a job goes on until it ends. */
  cancel?: TaskCancellation;
  readError(
    status: number,
    body: unknown,
    headers: Record<string, string | string[] | undefined>,
    context?: ErrorContext,
  ): UpstreamError;
}

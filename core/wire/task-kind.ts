import type { TaskJob, TaskPlatform } from '../canonical/task-job.ts';
import type { fileKinds } from '../schemas/task.ts';

/** A job as it is kept, with what clients are shown of it. */
export interface KnownTask {
  task_id: string;
  action: string;
  status: string;
  fail_reason: string;
  /** Unix seconds. */
  submit_time: number;
  start_time: number;
  finish_time: number;
  progress: string;
  /** What its client wrote. */
  input: string;
  model: string;
  /** What of the request is shown, `input` among it. */
  properties: Record<string, unknown>;
  data: unknown;
}

/** Kinds of files that jobs make. */
export type FileKind = (typeof fileKinds)[number];

/** Where a file lies: at an address that the vendor named, or at the channel itself, which is asked for it. */
export type FileSource = { url: string } | { variant: string };

/** One thing that a job made: a song, a text, a video. */
export interface MadePart {
  title: string;
  /** Lyrics. */
  text: string;
  /** Style words. */
  tags: string;
  files: Partial<Record<FileKind, FileSource>>;
}

/** Options that decide what of a client's job goes to the vendor. */
export interface TaskSettings {
  drawing: {
    /** MjAccountFilterEnabled */
    passesAccountFilter: boolean;
    /** MjNotifyEnabled */
    passesNotifyHook: boolean;
    /** MjModeClearEnabled */
    clearsMode: boolean;
    /** MjActionCheckSuccessEnabled */
    checksSuccess: boolean;
  };
}

/** The client's side of one kind of paid job. Pure. */
export interface TaskKind {
  /** In log rows and lists. */
  platform: TaskPlatform;
  /** A job that is not over by then has failed. */
  lifeSeconds: number;
  /**
   * `prefix` is what a path may have before this kind's own: `/mj-fast`. Throws AppError (`request.*`, `task.*`) for what the client
   * got wrong.
   */
  read(action: string, body: Record<string, unknown>, settings: TaskSettings, prefix: string, isForm: boolean): TaskJob;
  /** Fields of a form, for kinds that take one. */
  formFields?: readonly string[];
  /** The job as this kind's clients know it. */
  write(task: KnownTask): Record<string, unknown>;
  /** What there is to see or hear of it so far. */
  made(task: KnownTask): MadePart[];
}

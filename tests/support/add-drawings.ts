import type { Database } from '../../core/database/connect.ts';

/** A drawing by what lists show of it. Times are unix milliseconds. */
export interface DrawingSeed {
  id?: number;
  user_id: number;
  mj_id: string;
  action?: string;
  status?: string;
  progress?: string;
  prompt?: string;
  image_url?: string;
  code?: number;
  fail_reason?: string;
  channel_id?: number;
  quota?: number;
  submit_time: number;
  finish_time?: number;
}

/** A time before which no vendor of a seeded job is asked: it is not there. One much later would be taken for a stepped clock. */
export const unaskedUntil = (): number => Math.floor(Date.now() / 1000) + 1700;

/** Paid jobs as Midjourney's vendors leave them behind. */
export async function addDrawings({ sequelize }: Database, drawings: readonly DrawingSeed[]): Promise<void> {
  for (const { id, user_id, mj_id, submit_time, finish_time = 0, ...rest } of drawings) {
    const { action = 'IMAGINE', status = 'SUCCESS', progress = '', fail_reason = '', channel_id = 0, quota = 0 } = rest;
    const { prompt = '', code = 0, image_url = '' } = rest;
    await sequelize.query(
      `INSERT INTO tasks (${id === undefined ? '' : 'id, '}platform, user_id, task_id, action, status, progress, fail_reason,
         channel_id, quota, submit_time, finish_time, next_poll_at, properties, data)
       VALUES (${id === undefined ? '' : ':id, '}'mj', :user_id, :mj_id, :action, :status, :progress, :fail_reason,
         :channel_id, :quota, :submitted, :finished, :later, :properties, :data)`,
      {
        replacements: {
          user_id,
          mj_id,
          action,
          status,
          progress,
          fail_reason,
          channel_id,
          quota,
          ...(id !== undefined && { id }),
          later: unaskedUntil(),
          submitted: Math.floor(submit_time / 1000),
          finished: Math.floor(finish_time / 1000),
          properties: JSON.stringify({ input: prompt, code }),
          data: JSON.stringify({ imageUrl: image_url, submitTime: submit_time, finishTime: finish_time }),
        },
      },
    );
  }
}

import type { Database } from '../database/connect.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Drawing, DrawingFilter } from '../schemas/drawing.ts';
import type { Page } from '../schemas/paging.ts';
import { requireRole } from './actor.ts';
import type { OptionService } from './option.ts';
import { countTaskRows, readTaskPage, type TaskPageQuery } from './task-page.ts';

interface DrawingServiceDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
}

export type DrawingService = ReturnType<typeof createDrawingService>;

const columns =
  'id, code, user_id, action, mj_id, prompt, prompt_en, description, state, submit_time, start_time, finish_time, image_url, status, progress, fail_reason, channel_id, quota, buttons, properties';

/** What drawings were asked for, newest first. */
export function createDrawingService({ database, options }: DrawingServiceDependencies) {
  const queryOf = (filter: DrawingFilter, userId?: number): TaskPageQuery => ({
    table: 'drawings',
    columns,
    page: filter.p,
    pageSize: filter.page_size,
    username: filter.username,
    equal: { user_id: userId, channel_id: filter.channel_id, mj_id: filter.mj_id },
    submittedBetween: [filter.start_timestamp, filter.end_timestamp],
  });

  async function read(filter: DrawingFilter, userId?: number): Promise<Drawing[]> {
    const rows = await readTaskPage<Omit<Drawing, 'username'>>(database, queryOf(filter, userId));
    return rows.map((row) => ({
      ...row,
      image_url: imageUrl(row),
      progress: row.progress || '0%',
      // Which channel served it is the operator's business.
      channel_id: userId === undefined ? row.channel_id : 0,
    }));
  }

  /** Through us when the option says so, so that the vendor's address is not shown; nothing while there is no picture. */
  function imageUrl({ image_url, mj_id }: Pick<Drawing, 'image_url' | 'mj_id'>): string {
    if (image_url === '' || !options.get('MjForwardUrlEnabled')) return image_url;
    return `${options.get('ServerAddress')}/mj/image/${encodeURIComponent(mj_id)}`;
  }

  async function list(actor: Actor, filter: DrawingFilter): Promise<Drawing[]> {
    requireRole(actor, role.admin);
    return read(filter);
  }

  return {
    list,
    listOwn: (actor: Actor, filter: DrawingFilter) => read({ ...filter, channel_id: 0, username: '' }, actor.id),
    async listPage(actor: Actor, filter: DrawingFilter): Promise<Page<Drawing>> {
      const items = await list(actor, filter);
      const total = await countTaskRows(database, queryOf(filter));
      return { items, page: filter.p, page_size: filter.page_size, total };
    },
  };
}

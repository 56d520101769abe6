import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const columns = {
  /** Of the span: 60 or 3600. */
  seconds: key(whole()),
  /** Unix seconds at which the span begins. */
  slot: key(whole()),
  channel_id: key(whole()),
  /** As callers name it. */
  model: key(text()),
  /** Who wrote it. */
  process: key(text()),
  ok: whole(0),
  failed: whole(0),
  /** JSON text: a histogram of milliseconds. */
  first_token: text('{}'),
  /** JSON text: a histogram of tokens per second. */
  speed: text('{}'),
  /** What the upstream said of the last failure, as far as it may be kept. */
  error: text(''),
  /** Its HTTP status or name; '' when nothing failed. */
  error_code: text(''),
  /** Unix seconds; 0 when nothing failed. */
  error_at: whole(0),
};

/** What one process saw of a model on a channel in a minute or an hour. */
export type ChannelHealthRow = RowOf<typeof columns>;

export const defineChannelHealth = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'channel_health', table: 'channel_health' }, columns);

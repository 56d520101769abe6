import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TokenRow } from '../../database/models/token.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { logListSchema } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import type { ChannelCondition, ObjectOverview, OverviewQuery } from '../../schemas/overview.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { LogService } from '../log/log.ts';
import type { UsageScope } from '../usage/usage-source.ts';
import { requireRankOver } from '../user/rank.ts';
import { listedChannels, readChannelConditions } from './channel-condition.ts';
import { readFigures } from './figures.ts';
import type { createReadingCache } from './reading-cache.ts';
import { keyOf, spansOf } from './spans.ts';
import { readOwnTokens, readTopUsers } from './top.ts';

interface ObjectOverviewDependencies {
  database: Database;
  reports: Pick<ReportDatabase, 'read'>;
  secretBox: SecretBox;
  logs: Pick<LogService, 'list' | 'listOwn'>;
  cached: ReturnType<typeof createReadingCache>;
  now: Clock;
}

/** What is asked of one object. */
interface Reading {
  name: string;
  scope: UsageScope;
  /** What narrows the list of failed requests to the object. */
  failures: Record<string, unknown>;
  /** Of a single user there is no list of users. */
  hasUsers?: boolean;
  channelIds?: number[];
}

/** The figures of the overview for one object: users see their own objects and their own requests, admins all. */
export function createObjectOverview({ database, reports, secretBox, logs, cached, now }: ObjectOverviewDependencies) {
  /** Admins only. Reasons are coded texts. */
  async function readChannel(actor: Actor, id: number, query: OverviewQuery): Promise<ObjectOverview> {
    requireRole(actor, role.admin);
    const channel = await database.channels.findOne({ attributes: ['name'], where: { id }, raw: true });
    if (!channel) throw notFound('channel', id);
    const scope = { channelId: id };
    return read(actor, query, { ...channel, scope, failures: { channel: id }, hasUsers: true, channelIds: [id] });
  }

  /** Of a model that is served, was called or is not known at all, whatever its name; users see their own requests of it. */
  async function readModel(actor: Actor, name: string, query: OverviewQuery): Promise<ObjectOverview> {
    const failures = { model_name: name };
    if (actor.role < role.admin)
      return read(actor, query, { name, scope: { userId: actor.id, model: name }, failures });
    const rows = await database.abilities.findAll({ attributes: ['channel_id'], where: { model: name }, raw: true });
    const channelIds = [...new Set(rows.map(({ channel_id }) => channel_id))];
    return read(actor, query, { name, scope: { model: name }, failures, hasUsers: true, channelIds });
  }

  async function readUser(actor: Actor, id: number, query: OverviewQuery): Promise<ObjectOverview> {
    if (id !== actor.id && actor.role < role.admin) throw notFound('user', id);
    const attributes = ['username', 'role'];
    const user = await database.users.findOne({ attributes, where: { id, username: { [Op.ne]: '' } }, raw: true });
    if (!user) throw notFound('user', id);
    if (id !== actor.id) requireRankOver(actor, user);
    return read(actor, query, { name: user.username, scope: { userId: id }, failures: { user_id: id } });
  }

  async function readToken(actor: Actor, id: number, query: OverviewQuery): Promise<ObjectOverview> {
    const own = actor.role < role.admin ? { user_id: actor.id } : {};
    const token: Pick<TokenRow, 'name' | 'user_id'> | null = await database.tokens.findOne({
      attributes: ['name', 'user_id'],
      where: { id, deleted_at: null, ...own },
      raw: true,
    });
    if (!token) throw notFound('token', id);
    const { name, user_id: userId } = token;
    if (userId !== actor.id) {
      const owner = await database.users.findOne({ attributes: ['role'], where: { id: userId }, raw: true });
      if (owner) requireRankOver(actor, owner);
    }
    return read(actor, query, {
      name,
      scope: { userId, tokenId: id },
      failures: { token_name: name, user_id: userId },
    });
  }

  function read(actor: Actor, query: OverviewQuery, reading: Reading): Promise<ObjectOverview> {
    const whose = JSON.stringify([actor.role < role.admin ? actor.id : 'admin', reading.scope]);
    return cached(keyOf(whose, query), () => load(actor, query, reading));
  }

  async function load(actor: Actor, query: OverviewQuery, reading: Reading): Promise<ObjectOverview> {
    const { name, scope, failures, hasUsers = false, channelIds = [] } = reading;
    const at = now();
    const failed = logListSchema.parse({ type: logType.error, page_size: 6, ...failures });
    const isOneUser = scope.userId !== undefined && scope.tokenId === undefined && scope.model === undefined;
    const [common, users, tokens, channels, latest] = await Promise.all([
      reports.read((from) => readFigures(from, query, at, scope)),
      hasUsers ? reports.read((from) => readTopUsers(from, spansOf(query, at), scope)) : [],
      isOneUser ? reports.read((from) => readOwnTokens(from, scope.userId ?? 0, at - 7 * secondsPerDay)) : [],
      readChannelConditions({ database, reports, secretBox }, { now: at, ids: channelIds }),
      actor.role < role.admin ? logs.listOwn(actor, failed) : logs.list(actor, failed),
    ]);
    return {
      ...common,
      name,
      failures: latest.items,
      top_users: users,
      top_tokens: tokens,
      ...listedChannels(channels),
    };
  }

  /** How every channel is doing, or each of `ids`; admins only. Reasons are coded texts. */
  async function readChannels(actor: Actor, ids?: number[]): Promise<ChannelCondition[]> {
    requireRole(actor, role.admin);
    // One reading for all pages, whichever rows each of them shows.
    const all = await cached('channels', () => readChannelConditions({ database, reports, secretBox }, { now: now() }));
    const wanted = new Set(ids);
    return ids ? all.filter(({ id }) => wanted.has(id)) : all;
  }

  return { readChannels, readChannel, readModel, readUser, readToken };
}

const notFound = (noun: 'channel' | 'token' | 'user', id: number) =>
  new AppError('object.notFound', { what: coded(`noun.${noun}`), id, noun });

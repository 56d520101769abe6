import type { Sequelize, WhereOptions } from 'sequelize';
import { defineAbility } from './ability.ts';
import { defineAudit } from './audit.ts';
import { defineChannel } from './channel.ts';
import { defineChannelHealth } from './channel-health.ts';
import type { TableModel } from './column.ts';
import { defineJobLock, defineRunProgress } from './job.ts';
import { defineLimit, defineLimitCount, defineLimitUsage } from './limit.ts';
import { defineListedModel } from './listed-model.ts';
import { defineLog } from './log.ts';
import { defineNotice } from './notice.ts';
import { defineOneTimeCode } from './one-time-code.ts';
import { defineOption } from './option.ts';
import { defineRedemption } from './redemption.ts';
import { defineChannelHour, defineRolledHour, defineUsageParts } from './rolled-hour.ts';
import { defineSession } from './session.ts';
import { defineSignInFailure, defineSignInPlace } from './sign-in.ts';
import { defineStoredResponse } from './stored-response.ts';
import { defineTakeoverMark } from './takeover-mark.ts';
import { defineTask } from './task.ts';
import { defineTaskNotice } from './task-notice.ts';
import { defineToken } from './token.ts';
import { defineTopUp } from './top-up.ts';
import { defineTwoFactor, defineTwoFactorCode } from './two-factor.ts';
import { defineUsageData } from './usage-data.ts';
import { defineUser, type UserRow } from './user.ts';

export type Models = ReturnType<typeof defineModels>;

/** A model of every table that is not the ledger's. */
export function defineModels(sequelize: Sequelize) {
  const models = {
    users: defineUser(sequelize),
    tokens: defineToken(sequelize),
    channels: defineChannel(sequelize),
    channelHealth: defineChannelHealth(sequelize),
    abilities: defineAbility(sequelize),
    options: defineOption(sequelize),
    redemptions: defineRedemption(sequelize),
    topUps: defineTopUp(sequelize),
    tasks: defineTask(sequelize),
    taskNotices: defineTaskNotice(sequelize),
    listedModels: defineListedModel(sequelize),
    limits: defineLimit(sequelize),
    limitUsage: defineLimitUsage(sequelize),
    limitCounts: defineLimitCount(sequelize),
    logs: defineLog(sequelize),
    usageData: defineUsageData(sequelize),
    rolledHours: defineRolledHour(sequelize),
    usageParts: defineUsageParts(sequelize),
    channelHours: defineChannelHour(sequelize),
    audits: defineAudit(sequelize),
    sessions: defineSession(sequelize),
    signInPlaces: defineSignInPlace(sequelize),
    signInFailures: defineSignInFailure(sequelize),
    twoFactors: defineTwoFactor(sequelize),
    twoFactorCodes: defineTwoFactorCode(sequelize),
    oneTimeCodes: defineOneTimeCode(sequelize),
    notices: defineNotice(sequelize),
    storedResponses: defineStoredResponse(sequelize),
    jobLocks: defineJobLock(sequelize),
    runProgress: defineRunProgress(sequelize),
    takeoverMarks: defineTakeoverMark(sequelize),
  };
  const { users, tokens, channels, tasks, sessions } = models;
  // The database has no such constraints: a row may outlive what it points to.
  const owner = { as: 'user', foreignKey: 'user_id', constraints: false };
  tokens.belongsTo(users, owner);
  sessions.belongsTo(users, owner);
  tasks.belongsTo(users, owner);
  tasks.belongsTo(channels, { as: 'channel', foreignKey: 'channel_id', constraints: false });
  return models;
}

/** A row and its owner, read together; undefined where either is missing. */
export async function findOwned<Row extends object>(
  model: TableModel<Row>,
  where: WhereOptions<Row>,
): Promise<(Row & { user: UserRow }) | undefined> {
  const include = [{ association: 'user', required: true }];
  const found: unknown = await model.findOne({ where: where as WhereOptions, include, raw: true, nest: true });
  return (found as (Row & { user: UserRow }) | null) ?? undefined;
}

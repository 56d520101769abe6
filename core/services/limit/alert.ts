import type { Transaction } from 'sequelize';
import { Op } from 'sequelize';
import type { BudgetClaim } from '../../billing/budget-claim.ts';
import { formatQuotas } from '../../billing/quota.ts';
import type { Database } from '../../database/connect.ts';
import type { LimitRow, LimitUsageRow } from '../../database/models/limit.ts';
import { type CalendarUnit, type CalendarWindow, calendarWindow } from '../../lib/calendar-window.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { role } from '../../schemas/actor.ts';
import type { LimitPeriod } from '../../schemas/limit.ts';
import { userStatus } from '../../schemas/user.ts';
import { coded } from '../../text/coded.ts';
import { textIn } from '../../text/text.ts';
import { inBothLanguages, type Notice, type NoticeService, type NoticeUser } from '../notice/notice.ts';
import type { OptionService } from '../option/option.ts';
import { momentText, wordsOf } from './words.ts';

export interface LimitAlerts {
  /** Tells of budgets that have passed a step since the last look; returns how many. */
  tellDue(signal?: AbortSignal): Promise<number>;
  /** Windows that are long over. */
  removeOld(): Promise<void>;
}

interface LimitAlertDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  notices: Pick<NoticeService, 'put' | 'sendDue'>;
  now?: Clock;
}

/** In percent of a budget. */
const steps = [100, 80, 50] as const;
const keptDays = 70;
/** What is used just before a window ends is told after its end. */
const lateSeconds = 120;
const maxWindowSeconds = 33 * secondsPerDay;

type UsedBudget = LimitUsageRow & Pick<LimitRow, 'subject_kind' | 'measure' | 'period' | 'amount'>;

/** Users and admins are told when a budget is half, nearly and wholly used: once for each window and step, over all processes. */
export function createLimitAlerts({
  database,
  options,
  notices,
  now = nowSeconds,
}: LimitAlertDependencies): LimitAlerts {
  async function tellDue(signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (const budget of await candidates()) {
      if (signal?.aborted) break;
      const window = windowOf(budget);
      const step = stepOf(budget);
      if (!window || step <= budget.alerted) continue;
      const isTold = await database.transaction(async (transaction) => {
        if (!(await claim(budget, step, transaction))) return false;
        await tell(budget, step, window, transaction);
        return true;
      });
      count += Number(isTold);
    }
    if (count > 0) await notices.sendDue(signal);
    return count;
  }

  /** The present one, or one that ended since the last look; undefined for one that is over or of another time zone. */
  function windowOf({ period, window_start }: UsedBudget): CalendarWindow | undefined {
    const windowAt = (moment: number) => calendarWindow(period as CalendarUnit, options.get('LimitTimeZone'), moment);
    const present = windowAt(now());
    const isLate = now() - present.start < lateSeconds;
    return [present, ...(isLate ? [windowAt(present.start - 1)] : [])].find(({ start }) => start === window_start);
  }

  function candidates(): Promise<UsedBudget[]> {
    // SQL: two tables, and a share computed for each row.
    return database.select<UsedBudget>(
      `SELECT known.*, limits.subject_kind, limits.measure, limits.period, limits.amount
       FROM limit_usage known JOIN limits ON limits.id = known.limit_id
       WHERE limits.enabled = 1 AND limits.measure = 'budget' AND known.window_start > :since
         AND known.alerted < :last AND (known.used >= limits.amount * :first / 100 OR known.refused = 1)
       ORDER BY known.limit_id, known.subject`,
      { since: now() - maxWindowSeconds, first: steps.at(-1), last: steps[0] },
    );
  }

  /** Of several processes that see the same budget, one tells. */
  async function claim(budget: UsedBudget, step: number, transaction: Transaction): Promise<boolean> {
    const { limit_id, subject, window_start } = budget;
    const where = { limit_id, subject, window_start, alerted: { [Op.lt]: step } };
    const [claimed] = await database.limitUsage.update({ alerted: step }, { where, transaction });
    return claimed > 0;
  }

  async function tell(
    budget: UsedBudget,
    step: number,
    window: CalendarWindow,
    transaction: Transaction,
  ): Promise<void> {
    const { who, ownerId } = await subjectOf(budget, transaction);
    const notice = noticeFor(budget, step, window, who);
    for (const user of await receivers(ownerId, transaction)) await notices.put(user, notice, transaction);
  }

  async function subjectOf({ subject_kind: kind, subject }: UsedBudget, transaction: Transaction) {
    if (kind === 'group' || kind === 'model') return { who: coded(`limit.${kind}`, { name: subject }), ownerId: 0 };
    const id = Number(subject);
    if (kind === 'user') return { who: coded('limit.userNamed', { name: await nameOf(id, transaction) }), ownerId: id };
    const token = await database.tokens.findOne({ where: { id }, raw: true, transaction });
    const ownerId = token?.user_id ?? 0;
    // Admins are told, too, and many users call their token the same.
    const owner = await nameOf(ownerId, transaction);
    return { who: coded('limit.tokenOf', { name: token?.name || `#${id}`, owner }), ownerId };
  }

  async function nameOf(userId: number, transaction: Transaction): Promise<string> {
    const user = await database.users.findOne({ where: { id: userId }, raw: true, transaction });
    return user?.username ?? `#${userId}`;
  }

  /** The one whose budget it is, and all admins. */
  function receivers(ownerId: number, transaction: Transaction): Promise<NoticeUser[]> {
    const wanted = { [Op.or]: [{ id: ownerId }, { role: { [Op.gte]: role.admin } }] };
    const where = { ...wanted, status: userStatus.enabled, deleted_at: null };
    return database.users.findAll({ attributes: ['id', 'email', 'setting'], where, raw: true, transaction });
  }

  function noticeFor(budget: UsedBudget, step: number, window: CalendarWindow, who: string): Notice {
    const format = { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit: options.get('QuotaPerUnit') };
    const [used = '', max = ''] = formatQuotas([budget.used, budget.amount], format);
    const words = wordsOf({ measure: 'budget', period: budget.period as LimitPeriod });
    const details = { who, percent: step, used, max, reset: momentText(window.end), ...words };
    return {
      // With the step: a budget that is used up within minutes passes all three, and a user is told of few of one kind.
      kind: `budget_${budget.limit_id}_${budget.subject}_${step}`,
      title: inBothLanguages((language) => textIn(language, 'notice', 'budget.title', details)),
      lines: inBothLanguages((language) => [
        textIn(language, 'notice', 'budget.state', details),
        textIn(
          language,
          'notice',
          `budget.${window.end <= now() ? 'wasReset' : step === 100 ? 'refused' : 'resets'}`,
          details,
        ),
      ]),
      values: [used, max],
    };
  }

  return {
    tellDue,
    async removeOld() {
      const before = now() - keptDays * secondsPerDay;
      await database.limitUsage.destroy({ where: { window_start: { [Op.lt]: before }, held: 0 } });
    },
  };
}

/** A call that was refused when nearly all was used says as much as the last unit. */
function stepOf({ used, amount, refused }: UsedBudget): number {
  if (refused === 1) return 100;
  return steps.find((step) => used * 100 >= amount * step) ?? 0;
}

const passed = steps.map((step) => `WHEN used * 100 >= :amount * ${step} THEN ${step}`).join(' ');
const stepNow = `CASE ${passed} ELSE 0 END`;
const forgetting = `UPDATE limit_usage SET refused = 0, alerted = CASE WHEN alerted > ${stepNow} THEN ${stepNow} ELSE alerted END`;

/** Of a budget that was raised: what is used of it is told again once it passes a step of the new amount. */
export async function forgetAlerts(
  database: Database,
  { id, amount }: Pick<LimitRow, 'id' | 'amount'>,
  transaction: Transaction,
): Promise<void> {
  // SQL: a value that is computed from others of the row.
  await database.sequelize.query(`${forgetting} WHERE limit_id = :id AND (alerted > 0 OR refused = 1)`, {
    replacements: { id, amount },
    transaction,
  });
}

/** The same of one window of a budget, to which something was given back. */
export async function forgetAlertsIn(
  database: Database,
  [id, subject, start]: BudgetClaim,
  transaction: Transaction,
): Promise<void> {
  const limit = await database.limits.findByPk(id, { attributes: ['amount'], raw: true, transaction });
  if (!limit) return;
  // SQL: as above.
  await database.sequelize.query(
    `${forgetting} WHERE limit_id = :id AND subject = :subject AND window_start = :start AND (alerted > 0 OR refused = 1)`,
    { replacements: { id, subject, start, amount: limit.amount }, transaction },
  );
}

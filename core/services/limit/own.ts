import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LimitRow } from '../../database/models/limit.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import {
  type Limit,
  type LimitSubjectKind,
  type LimitUsage,
  limitSubjectKinds,
  type OwnLimit,
  type OwnLimitUsage,
} from '../../schemas/limit.ts';
import { isShared } from '../../schemas/limit-subject.ts';
import { requireRole } from '../actor.ts';
import type { ModelService } from '../model/model.ts';
import type { LimitView } from './view.ts';

interface OwnLimitDependencies {
  database: Database;
  models: Pick<ModelService, 'openTo'>;
  views: LimitView;
}

type Subjects = Record<LimitSubjectKind, readonly string[]>;

/** What limits the calls of a user, with what is left of it; of what others use, too, only whether something is left. */
export function createOwnLimits({ database, models, views }: OwnLimitDependencies) {
  async function subjectsOf(actor: Actor): Promise<Subjects | undefined> {
    const user = await database.users.findOne({ where: { id: actor.id, deleted_at: null }, raw: true });
    if (!user) return undefined;
    const tokens = await database.tokens.findAll({
      attributes: ['id', 'group'],
      where: { user_id: actor.id, deleted_at: null },
      raw: true,
    });
    const groups = new Set([user.group, ...tokens.map(({ group }) => group)].filter((group) => group !== ''));
    const token = tokens.map(({ id }) => String(id));
    return { token, user: [String(actor.id)], group: [...groups], model: await models.openTo(actor) };
  }

  return async (actor: Actor): Promise<OwnLimit[]> => {
    requireRole(actor, role.user);
    const subjects = await subjectsOf(actor);
    if (!subjects) return [];
    const own = limitSubjectKinds.map((subject_kind) => ({ subject_kind, subject: ['', ...subjects[subject_kind]] }));
    const rows = await database.limits.findAll({
      where: { enabled: 1, [Op.or]: own },
      order: [['id', 'ASC']],
      raw: true,
    });
    const limits = await views.all(rows, subjects);
    return limits
      .map((limit) => ({ limit, names: namesUnder(limit, rows, subjects) }))
      .filter(({ names }) => names.length > 0)
      .map(({ limit, names }) => ({ ...limit, usage: usageOf(limit, names) }));
  };
}

/** Those of the user's that this limit is for: none that has such a limit of its own, if it is one for each. */
function namesUnder(limit: Limit, rows: readonly LimitRow[], subjects: Subjects): readonly string[] {
  if (limit.subject !== '') return [limit.subject];
  const isSame = (row: LimitRow) =>
    row.subject_kind === limit.subject_kind && row.measure === limit.measure && row.period === limit.period;
  const withOwn = new Set(rows.filter(isSame).map(({ subject }) => subject));
  return subjects[limit.subject_kind].filter((subject) => !withOwn.has(subject));
}

function usageOf({ subject_kind: kind, subject, usage }: Limit, names: readonly string[]): OwnLimitUsage[] {
  const known = new Set(names);
  const own = usage.filter((use) => known.has(use.subject));
  if (!isShared(kind)) return own;
  // There may be thousands of models.
  const shown = kind === 'model' && subject === '' ? own.filter(({ exhausted }) => exhausted) : own;
  return shown.map(withoutFigures);
}

const withoutFigures = ({ subject, subject_name, exhausted, resets_at }: LimitUsage): OwnLimitUsage => ({
  subject,
  subject_name,
  exhausted,
  resets_at,
});

import type { UserRow } from '../../database/models/user.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { UserManage } from '../../schemas/user.ts';

/** Only root acts on users of the same or a higher role. */
export function requireRankOver(actor: Actor, target: Pick<UserRow, 'role'>): void {
  if (actor.role < role.root && target.role >= actor.role) throw new AppError('user.wrongRank');
}

/** Users cannot create users of their own role or above. */
export function requireRankForRole(actor: Actor, wanted: number | undefined): void {
  if (wanted !== undefined && wanted >= actor.role) throw new AppError('user.wrongRank');
}

/** The columns an action changes; throws when this actor may not do it to this user. */
export function changesOf(
  actor: Actor,
  target: Pick<UserRow, 'role'>,
  action: UserManage['action'],
  now: number,
): Partial<UserRow> {
  requireRankOver(actor, target);
  const isRoot = target.role >= role.root;
  if (isRoot && action !== 'enable' && action !== 'promote') throw new AppError('user.rootProtected');
  switch (action) {
    case 'enable':
      return { status: 1 };
    case 'disable':
      return { status: 2 };
    case 'delete':
      return { deleted_at: now };
    case 'promote':
      if (actor.role < role.root) throw new AppError('user.promoteDenied');
      if (target.role >= role.admin) throw new AppError('user.alreadyAdmin');
      return { role: role.admin };
    case 'demote':
      if (target.role < role.admin) throw new AppError('user.notAdmin');
      return { role: role.user };
  }
}

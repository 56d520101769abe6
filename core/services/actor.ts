import { AppError } from '../errors/app-error.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { User } from '../schemas/user.ts';

export function requireRole(actor: Actor, min: number): void {
  if (actor.role < min) throw new AppError('permission.denied');
}

/** The command line, the terminal UI and jobs have no account of their own. */
export const isSystem = (actor: Actor): boolean => actor.id === 0 && actor.role >= role.root;

/** A user who acts, as the row says at this moment. */
export const actorOf = ({ id, username, role }: Pick<User, 'id' | 'username' | 'role'>, address: string): Actor => ({
  id,
  name: username,
  role,
  address,
});

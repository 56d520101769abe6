import { AppError } from '../errors/app-error.ts';
import { type Actor, role } from '../schemas/actor.ts';

export function requireRole(actor: Actor, least: number): void {
  if (actor.role < least) throw new AppError('permission.denied');
}

/** The command line, the terminal UI and jobs have no account of their own. */
export const isSystem = (actor: Actor): boolean => actor.id === 0 && actor.role >= role.root;

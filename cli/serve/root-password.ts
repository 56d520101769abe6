import type { App } from '../../core/app.ts';
import { randomAlphanumerics } from '../../core/lib/random-key.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { Context } from '../context.ts';

/** 119 random bits. */
const passwordLength = 20;

/**
 * A container is reached from outside at its first start, so it cannot keep the default password and has no terminal to set
 * another: root gets a random one. It is printed before the server listens, so that a failed start does not lose it.
 */
export async function replaceDefaultPassword({ output, speak }: Context, { config, services }: App): Promise<void> {
  if (!config.generateRootPassword) return;
  const password = randomAlphanumerics(passwordLength);
  const change = { actor: systemActor, password, action: 'user.setPassword' };
  const root = await services.rootAccount.replaceDefaultPassword(change);
  // Root has a password already, or another node that starts at the same moment has just printed one.
  if (!root) return;
  const { username } = root;
  output.step({ event: 'root-password', username, password }, speak('serve.generatedPassword', { username, password }));
}

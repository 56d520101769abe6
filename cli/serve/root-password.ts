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
  if (!config.generateRootPassword || !(await services.rootAccount.hasDefaultPassword())) return;
  const { id } = await services.users.find(systemActor, 'root');
  const password = randomAlphanumerics(passwordLength);
  await services.users.setPassword(systemActor, id, password);
  output.step({ event: 'root-password', username: 'root', password }, speak('serve.generatedPassword', { password }));
}

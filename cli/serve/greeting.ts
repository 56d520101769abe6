import type { App } from '../../core/app.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { channelListSchema } from '../../core/schemas/channel.ts';
import { tokenListSchema } from '../../core/schemas/token.ts';
import { version } from '../../core/version.ts';
import type { Context } from '../context.ts';
import { exampleCall } from '../first-run/example-call.ts';
import { shownDatabase } from '../shown-database.ts';
import { serverAddress } from './address.ts';

/** Where the server is, how to sign in, and what to do next. */
export async function greet({ output, speak }: Context, app: App, port: number): Promise<void> {
  const { config, services } = app;
  const address = serverAddress({ host: config.host, port });
  const api = `${address}/v1`;
  if (output.json) {
    return output.step({ event: 'listening', console: address, api, version, pid: process.pid }, '');
  }
  const next = await nextCommand(app, api);
  output.say(`  tollgate ${version}`);
  output.say(`  ${speak('serve.console', { url: address })}`);
  output.say(`  ${speak('serve.api', { url: api })}`);
  output.say(`  ${speak('serve.data', { place: shownDatabase(config.database) })}`);
  if (await services.rootAccount.hasDefaultPassword()) output.say(`  ${speak('serve.defaultPassword')}`);
  output.say(`  ${speak('serve.next', { command: next })}`);
}

/** The first thing that is still missing: a channel, a token, or a call. */
async function nextCommand({ services }: App, api: string): Promise<string> {
  const channels = await services.channels.list(systemActor, channelListSchema.parse({ page_size: 100, status: 1 }));
  if (channels.total === 0) return 'tollgate channel create --type openai --name main --models gpt-4o-mini --key-stdin';
  const tokens = await services.tokens.list(systemActor, tokenListSchema.parse({ page_size: 1 }));
  if (tokens.total === 0) return 'tollgate token create --name default';
  const models = channels.items.flatMap((channel) => channel.models.split(','));
  return exampleCall(api, models, 'sk-…');
}

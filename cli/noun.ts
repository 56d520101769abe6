import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Sentence } from './text.ts';

interface Noun {
  help: Sentence;
  load(): Promise<{ define(noun: Command, context: Context): void }>;
}

/** The first words of the command line, in the order of the help. Each is loaded only when it is meant. */
export const nouns: Record<string, Noun> = {
  init: { help: 'help.init', load: () => import('./commands/init.ts') },
  demo: { help: 'help.demo', load: () => import('./commands/demo.ts') },
  serve: { help: 'help.serve', load: () => import('./commands/serve.ts') },
  channel: { help: 'help.channel', load: () => import('./commands/channel.ts') },
  token: { help: 'help.token', load: () => import('./commands/token.ts') },
  user: { help: 'help.user', load: () => import('./commands/user.ts') },
  option: { help: 'help.option', load: () => import('./commands/option.ts') },
  log: { help: 'help.log', load: () => import('./commands/log.ts') },
  ledger: { help: 'help.ledger', load: () => import('./commands/ledger.ts') },
  db: { help: 'help.db', load: () => import('./commands/db.ts') },
  config: { help: 'help.config', load: () => import('./commands/config.ts') },
  doctor: { help: 'help.doctor', load: () => import('./commands/doctor.ts') },
  version: { help: 'help.version', load: () => import('./commands/version.ts') },
};

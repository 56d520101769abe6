import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Sentence } from '../text.ts';

interface Noun {
  help: Sentence;
  /** False where the words behind it are a person's own. */
  hasVerbs?: false;
  load(): Promise<{ define(noun: Command, context: Context): void }>;
}

/** The first words of the command line, in the order of the help. Each is loaded only when it is meant. */
export const nouns: Record<string, Noun> = {
  init: { help: 'help.init', load: () => import('./init.ts') },
  demo: { help: 'help.demo', load: () => import('./demo.ts') },
  serve: { help: 'help.serve', load: () => import('./serve.ts') },
  tui: { help: 'help.tui', load: () => import('./tui.ts') },
  channel: { help: 'help.channel', load: () => import('./channel.ts') },
  token: { help: 'help.token', load: () => import('./token.ts') },
  user: { help: 'help.user', load: () => import('./user.ts') },
  redemption: { help: 'help.redemption', load: () => import('./redemption.ts') },
  option: { help: 'help.option', load: () => import('./option.ts') },
  group: { help: 'help.group', load: () => import('./group.ts') },
  pricing: { help: 'help.pricing', load: () => import('./pricing.ts') },
  log: { help: 'help.log', load: () => import('./log.ts') },
  chat: { help: 'help.chat', load: () => import('./chat.ts'), hasVerbs: false },
  explain: { help: 'help.explain', load: () => import('./explain.ts') },
  usage: { help: 'help.usage', load: () => import('./usage.ts') },
  task: { help: 'help.task', load: () => import('./task.ts') },
  drawing: { help: 'help.drawing', load: () => import('./drawing.ts') },
  'top-up': { help: 'help.topUp', load: () => import('./top-up.ts') },
  audit: { help: 'help.audit', load: () => import('./audit.ts') },
  ledger: { help: 'help.ledger', load: () => import('./ledger.ts') },
  secret: { help: 'help.secret', load: () => import('./secret.ts') },
  db: { help: 'help.db', load: () => import('./db.ts') },
  config: { help: 'help.config', load: () => import('./config.ts') },
  doctor: { help: 'help.doctor', load: () => import('./doctor.ts') },
  completion: { help: 'help.completion', load: () => import('./completion.ts') },
  version: { help: 'help.version', load: () => import('./version.ts') },
};

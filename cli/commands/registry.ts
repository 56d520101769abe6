import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Sentence } from '../text.ts';

interface Noun {
  /** The part of the root help it is listed in. */
  group: Sentence;
  help: Sentence;
  /** False where the words behind it are a person's own. */
  hasVerbs?: false;
  load(): Promise<{ define(noun: Command, context: Context): void }>;
}

/** The first words of the command line, in the order of the help. Each is loaded only when it is meant. */
export const nouns: Record<string, Noun> = {
  init: { group: 'help.group.start', help: 'help.init', load: () => import('./init.ts') },
  demo: { group: 'help.group.start', help: 'help.demo', load: () => import('./demo.ts') },
  serve: { group: 'help.group.start', help: 'help.serve', load: () => import('./serve.ts') },
  tui: { group: 'help.group.start', help: 'help.tui', load: () => import('./tui.ts') },
  doctor: { group: 'help.group.start', help: 'help.doctor', load: () => import('./doctor.ts') },
  channel: { group: 'help.group.gateway', help: 'help.channel', load: () => import('./channel.ts') },
  group: { group: 'help.group.gateway', help: 'help.group', load: () => import('./group.ts') },
  pricing: { group: 'help.group.gateway', help: 'help.pricing', load: () => import('./pricing.ts') },
  option: { group: 'help.group.gateway', help: 'help.option', load: () => import('./option.ts') },
  explain: { group: 'help.group.gateway', help: 'help.explain', load: () => import('./explain.ts') },
  chat: { group: 'help.group.gateway', help: 'help.chat', load: () => import('./chat.ts'), hasVerbs: false },
  user: { group: 'help.group.account', help: 'help.user', load: () => import('./user.ts') },
  token: { group: 'help.group.account', help: 'help.token', load: () => import('./token.ts') },
  limit: { group: 'help.group.account', help: 'help.limit', load: () => import('./limit.ts') },
  redemption: { group: 'help.group.account', help: 'help.redemption', load: () => import('./redemption.ts') },
  'top-up': { group: 'help.group.account', help: 'help.topUp', load: () => import('./top-up.ts') },
  log: { group: 'help.group.record', help: 'help.log', load: () => import('./log.ts') },
  usage: { group: 'help.group.record', help: 'help.usage', load: () => import('./usage.ts') },
  task: { group: 'help.group.record', help: 'help.task', load: () => import('./task.ts') },
  drawing: { group: 'help.group.record', help: 'help.drawing', load: () => import('./drawing.ts') },
  audit: { group: 'help.group.record', help: 'help.audit', load: () => import('./audit.ts') },
  ledger: { group: 'help.group.record', help: 'help.ledger', load: () => import('./ledger.ts') },
  db: { group: 'help.group.system', help: 'help.db', load: () => import('./db.ts') },
  secret: { group: 'help.group.system', help: 'help.secret', load: () => import('./secret.ts') },
  config: { group: 'help.group.system', help: 'help.config', load: () => import('./config.ts') },
  completion: { group: 'help.group.system', help: 'help.completion', load: () => import('./completion.ts') },
  version: { group: 'help.group.system', help: 'help.version', load: () => import('./version.ts') },
};

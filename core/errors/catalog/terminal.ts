import type { CatalogEntry } from './entry.ts';

/** The terminal UI. */
export const terminalErrors = {
  'cli.noTerminal': {
    status: 400,
    en: 'the screens need a terminal, and there is none',
    zh: '终端界面需要在终端中运行',
    hint: { en: 'in scripts use: {command}', zh: '在脚本中请使用：{command}' },
  },
  'cli.screenUnknown': {
    status: 400,
    en: 'there is no screen {name}; there are {some}',
    zh: '没有界面 {name}，可用：{some}',
  },
} as const satisfies Record<string, CatalogEntry>;

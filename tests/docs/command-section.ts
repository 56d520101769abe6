import type { Command, Option } from 'commander';
import { nouns } from '../../cli/commands/registry.ts';
import { exitCode } from '../../cli/failure.ts';
import { type Language, textIn } from '../../core/text/text.ts';
import { defineNoun, examplesOf } from '../support/command-tree.ts';
import type { LocalText } from '../support/local-text.ts';
import { runCli } from '../support/run-cli.ts';
import { code, markdownTable } from './markdown.ts';

const exitMeanings: Record<keyof typeof exitCode, LocalText> = {
  done: { en: 'success', zh: '成功' },
  failed: { en: 'failure', zh: '失败' },
  usage: {
    en: 'wrong usage, invalid input, or input was required and there is no terminal to ask on',
    zh: '用法错误、输入无效，或需要输入但没有终端可询问',
  },
  notFound: { en: 'not found', zh: '未找到' },
  notAllowed: { en: 'not allowed', zh: '没有权限' },
  conflict: { en: 'conflict, such as a name that is taken', zh: '冲突，例如名称已被占用' },
  batch: { en: 'part of a batch failed', zh: '批量操作中有一部分失败' },
  unreachable: { en: 'database, port or upstream unreachable', zh: '无法连接数据库、端口或上游' },
  timedOut: { en: 'the task did not finish within the timeout', zh: '任务未在时限内完成' },
  interrupted: { en: 'interrupted', zh: '已中断' },
};

const words = {
  sharedFlags: { en: 'Global flags', zh: '全局选项' },
  exitCodes: { en: 'Exit codes', zh: '退出码' },
  flag: { en: 'Flag', zh: '选项' },
  code: { en: 'Code', zh: '退出码' },
  argument: { en: 'Argument or flag', zh: '参数或选项' },
  meaning: { en: 'Meaning', zh: '说明' },
  required: { en: '; required', zh: '；必填' },
} satisfies Record<string, LocalText>;

/** The whole tree: shared flags, exit codes, then each noun with its verbs. */
export async function commandReference(language: Language): Promise<string> {
  const parts = [
    `## ${words.sharedFlags[language]}`,
    await sharedFlagTable(language),
    `## ${words.exitCodes[language]}`,
    markdownTable(
      [words.code[language], words.meaning[language]],
      Object.entries(exitCode).map(([name, value]) => [
        String(value),
        exitMeanings[name as keyof typeof exitCode][language],
      ]),
    ),
  ];
  for (const name of Object.keys(nouns)) {
    const noun = await defineNoun(name, language);
    parts.push(`## ${name}`, sentence(noun, language));
    if (noun.commands.length === 0) parts.push(...describe(noun, `tollgate ${name}`, language));
    parts.push(...verbsOf(noun, name, language));
  }
  return parts.join('\n\n');
}

/** The verbs of a noun by name; in place of one that only groups others, such as `channel key`, those others. */
function verbsOf(noun: Command, path: string, language: Language): string[] {
  const verbs = [...noun.commands].sort((a, b) => a.name().localeCompare(b.name(), 'en'));
  return verbs.flatMap((verb) => {
    const name = `${path} ${verb.name()}`;
    if (verb.commands.length > 0) return verbsOf(verb, name, language);
    return [`### ${name}`, sentence(verb, language), ...describe(verb, `tollgate ${name}`, language)];
  });
}

/** Lines of the help, because only the program itself knows these flags. */
async function sharedFlagTable(language: Language): Promise<string> {
  const { stdout } = await runCli(`version --help --language ${language}`);
  const [, block = ''] = stdout.split(`${textIn(language, 'terminal', 'help.titleGlobal')}\n`);
  const joined = block.trimEnd().replace(/\n {6,}/g, ' ');
  const rows = joined.split('\n').map((line) => line.trim().split(/ {2,}/));
  return markdownTable(
    [words.flag[language], words.meaning[language]],
    rows.map(([flag = '', ...meaning]) => [code(flag), meaning.join(' ')]),
  );
}

function describe(command: Command, name: string, language: Language): string[] {
  const examples = examplesOf(command);
  const given = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return { shown: argument.required ? `<${shown}>` : `[${shown}]`, says: argument.description };
  });
  const flags = command.options.filter(({ hidden }) => !hidden);
  const usage = [name, ...given.map(({ shown }) => shown), ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
  const rows = [
    ...given.map(({ shown, says }) => [code(shown), says]),
    ...flags.map((flag) => [code(flag.flags), meaningOf(flag, language)]),
  ];
  return [
    `\`\`\`sh\n${examples.length > 0 ? examples.join('\n') : usage}\n\`\`\``,
    ...(rows.length > 0 ? [markdownTable([words.argument[language], words.meaning[language]], rows)] : []),
  ];
}

function meaningOf({ description, mandatory, argChoices }: Option, language: Language): string {
  const choices = argChoices
    ? language === 'en'
      ? ` (${argChoices.join(', ')})`
      : `（${argChoices.join('、')}）`
    : '';
  return `${description}${choices}${mandatory ? words.required[language] : ''}`;
}

function sentence(command: Command, language: Language): string {
  const text = command.description();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${language === 'en' ? '.' : '。'}`;
}

import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { findChannelType } from '../../../core/schemas/channel-type.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';

export interface FilterFlags {
  keyword?: string;
  type?: string;
  status?: string;
  group?: string;
  model?: string;
  tag?: string;
}

/** As a person types and reads them. */
export const statusWords = new Map<number, string>([
  [channelStatus.enabled, 'enabled'],
  [channelStatus.disabled, 'disabled'],
  [channelStatus.autoDisabled, 'auto-disabled'],
]);

/** Which channels a command is about. */
export function addFilterFlags(command: Command, { speak }: Context): Command {
  return command
    .option('--keyword <text>', speak('flag.keyword'))
    .option('--type <type>', speak('flag.type'))
    .option('--status <status>', speak('flag.status'))
    .option('--group <name>', speak('flag.onlyGroup'))
    .option('--model <name>', speak('flag.model'))
    .option('--tag <tag>', speak('flag.tag'));
}

export function filterFrom({ keyword, type, status, group, model, tag }: FilterFlags) {
  return {
    keyword,
    group,
    model,
    tag,
    ...(type !== undefined && { type: typeNumber(type) }),
    ...(status !== undefined && { status: statusNumber(status) }),
  };
}

function typeNumber(text: string): number {
  const type = findChannelType(text);
  if (!type)
    throw new AppError('input.invalid', { reason: `type "${text.slice(0, 40)}": ${coded('input.noSuchType')}` });
  return type.number;
}

function statusNumber(text: string): number {
  for (const [number, word] of statusWords) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', {
    reason: `status "${text.slice(0, 40)}": ${coded('issue.oneOf', { values: [...statusWords.values()].join(', ') })}`,
  });
}

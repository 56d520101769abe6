import { type Command, Option } from 'commander';
import type { Context } from '../../context.ts';

/** What every command about the log can be narrowed by, but for the time: not all look back. */
export function addFilterFlags(command: Command, { speak }: Context): Command {
  return command
    .option('--type <type>', speak('flag.logType'))
    .option('--user <user>', speak('flag.logUser'))
    .addOption(command.createOption('--username <name>').hideHelp())
    .option('--token <name>', speak('flag.token'))
    .option('--model <name>', speak('flag.model'))
    .option('--channel <channel>', speak('flag.channel'))
    .option('--group <name>', speak('flag.onlyGroup'));
}

export function addTimeFlags(command: Command, { speak }: Context): Command {
  return command.option('--since <when>', speak('flag.since')).option('--until <when>', speak('flag.until'));
}

/** The calls that people look for first. */
export function addTroubleFlags(command: Command, { speak }: Context): Command {
  return command
    .addOption(new Option('--errors', speak('flag.errors')).conflicts(['type', 'cut']))
    .option('--cut', speak('flag.cut'))
    .option('--slow <seconds>', speak('flag.slow'));
}

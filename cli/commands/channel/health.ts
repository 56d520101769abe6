import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelHealthQuery, type ModelHealth } from '../../../core/schemas/channel-health.ts';
import { wordsIn } from '../../../core/text/text.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import type { Column } from '../../output.ts';
import { firstTokenPair, recentSpan, shareText, speedPair } from '../../print/channel-health.ts';

const columns: Column<ModelHealth>[] = [
  { title: 'CHANNEL', value: ({ channel_id: id, channel_name: name }) => `${id} ${name}`, keep: true },
  { title: 'MODEL', value: ({ model }) => model, keep: true },
  { title: '5 MINUTES', value: ({ five_minutes: span }) => shareText(span), right: true, whole: true },
  { title: 'HOUR', value: ({ hour }) => shareText(hour), right: true, whole: true },
  { title: 'DAY', value: ({ day }) => shareText(day), right: true, whole: true },
  { title: 'REQUESTS', value: ({ day }) => day.requests, right: true },
  { title: 'FIRST TOKEN', value: (row) => firstTokenPair(recentSpan(row)), right: true },
  { title: 'TOKENS/S', value: (row) => speedPair(recentSpan(row)), right: true, extra: true },
  { title: 'LAST ERROR', value: ({ last_error: error }) => error },
];

/** How each channel serves each model: the reading of all machines together. */
export function addHealth(noun: Command, context: Context): void {
  const { speak, output } = context;
  const health = noun
    .command('health')
    .description(speak('help.channelHealth'))
    .argument('[channel]', speak('argument.channel'))
    .option('--model <name>', speak('flag.model'))
    .action(async (name: string | undefined, { model }: { model?: string }) => {
      const { services } = await context.app();
      const channel = name === undefined ? undefined : await services.channels.find(systemActor, name);
      const query = channelHealthQuery.parse({ model, ...(channel && { channel_id: String(channel.id) }) });
      const rows = await services.health.read(systemActor, query);
      const items = rows.map((row) => ({ ...row, last_error: wordsIn(output.language, row.last_error) }));
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, columns);
    });
  example(health, context, 'channel health', 'channel health main --model gpt-4o', 'channel health --json');
}
